package reference

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"io"
	"iter"
	"slices"
	"strconv"
	"time"
)

// defaultTitles are the titles of the columns that rules need.
var defaultTitles = [5]string{"id", "client_id", "wallet_id", "quote_created_at", "settled_date"}

// saoPaulo has kept this offset since 2019, so that no zone data is needed.
var saoPaulo = time.FixedZone("America/Sao_Paulo", -3*60*60)

// streams reports whether no row of the file has to wait for the next.
func (q *call) streams() bool {
	var all wholly
	q.g.pass(q, &all)
	return !bool(all)
}

// render writes the file of a request.
func (q *call) render(out io.Writer) {
	if q.g.choices.CSV.Gzip {
		zip := gzip.NewWriter(out)
		defer func() { _ = zip.Close() }()
		out = zip
	}
	c := q.file.Selection.choose(q.owner().stock)
	q.g.pass(q, c)
	if q.streams() {
		q.writeCSV(out, q.rows(c.quotes()))
		return
	}
	chosen := selected{c, slices.Collect(c.quotes())}
	q.g.pass(q, &chosen)
	rows := table(slices.Collect(q.rows(slices.Values(chosen.quotes))))
	q.g.pass(q, &rows)
	var text bytes.Buffer
	q.writeCSV(&text, slices.Values(rows))
	data := content(text.Bytes())
	q.g.pass(q, &data)
	_, _ = out.Write(data)
}

// rows are the titles, a row for each quote, and where the choice is so the sum of their amounts.
func (q *call) rows(quotes iter.Seq[*quote]) iter.Seq[[]string] {
	look := q.g.choices.CSV
	return func(yield func([]string) bool) {
		if !yield(append(look.Titles[:len(look.Titles):len(look.Titles)], "amount", "currency", "note")) {
			return
		}
		var sum quote
		n := 0
		for row := range quotes {
			n++
			sum.cents += row.cents
			if !yield([]string{
				row.id, row.client, row.wallet, look.Dates.text(row.created), look.Dates.text(row.settled),
				row.amount(), "USD", row.note,
			}) {
				return
			}
		}
		if look.Totals {
			last := []string{look.Total, "", "", "", "", sum.amount(), "USD", ""}
			if look.Total != "" {
				last[4] = strconv.Itoa(n)
			}
			yield(last)
		}
	}
}

// writeCSV writes rows as the choice is. Whether the client takes them is for it to know.
func (q *call) writeCSV(out io.Writer, rows iter.Seq[[]string]) {
	look, buffered := q.g.choices.CSV, bufio.NewWriterSize(out, 64<<10)
	if look.BOM {
		_, _ = buffered.WriteString("\uFEFF")
	}
	writer := csv.NewWriter(buffered)
	writer.UseCRLF = look.CRLF
	if look.Semicolon {
		writer.Comma = ';'
	}
	for row := range rows {
		if writer.Write(row) != nil {
			return // the client has gone
		}
	}
	writer.Flush()
	_ = buffered.Flush()
}

func (d Dates) text(t time.Time) string {
	switch {
	case t.IsZero() && d == YearOne:
		return t.Format(time.RFC3339)
	case t.IsZero():
		return ""
	case d == Offset:
		return t.In(saoPaulo).Format(dateTimeMillis)
	case d == Zoneless:
		return t.In(saoPaulo).Format("2006-01-02 15:04:05.000")
	}
	return t.UTC().Format(dateTimeMillis)
}
