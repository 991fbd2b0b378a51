package reference

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"strconv"
	"time"
)

// defaultTitles are the titles of the columns that rules need.
var defaultTitles = [5]string{"id", "client_id", "wallet_id", "quote_created_at", "settled_date"}

// saoPaulo has kept this offset since 2019, so that no zone data is needed.
var saoPaulo = time.FixedZone("America/Sao_Paulo", -3*60*60)

// render returns the file of a request.
func (q *call) render() []byte {
	chosen := selected{choice: q.file.Selection.choose(q.owner().quotes)}
	q.g.pass(q, chosen.choice)
	chosen.quotes = chosen.choice.quotes()
	q.g.pass(q, &chosen)
	rows := q.rows(chosen.quotes)
	q.g.pass(q, &rows)
	text := content(q.g.choices.CSV.text(rows))
	q.g.pass(q, &text)
	if !q.g.choices.CSV.Gzip {
		return text
	}
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	_, _ = zip.Write(text) // a buffer takes everything
	_ = zip.Close()
	return zipped.Bytes()
}

// rows are the titles, a row for each quote, and where the choice is so the sum of their amounts.
func (q *call) rows(quotes []*quote) table {
	look := q.g.choices.CSV
	rows := make(table, 1, len(quotes)+2)
	rows[0] = append(look.Titles[:len(look.Titles):len(look.Titles)], "amount", "currency", "note")
	var sum quote
	for _, row := range quotes {
		sum.cents += row.cents
		rows = append(rows, []string{
			row.id, row.client, row.wallet, look.Dates.text(row.created), look.Dates.text(row.settled), row.amount(),
			"USD", row.note,
		})
	}
	if look.Totals {
		last := []string{look.Total, "", "", "", "", sum.amount(), "USD", ""}
		if look.Total != "" {
			last[4] = strconv.Itoa(len(quotes))
		}
		rows = append(rows, last)
	}
	return rows
}

// text writes rows as the choice is.
func (look CSV) text(rows table) []byte {
	var out bytes.Buffer
	if look.BOM {
		out.WriteString("\uFEFF")
	}
	writer := csv.NewWriter(&out)
	writer.UseCRLF = look.CRLF
	if look.Semicolon {
		writer.Comma = ';'
	}
	_ = writer.WriteAll(rows) // a buffer takes everything
	return out.Bytes()
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
