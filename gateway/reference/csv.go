package reference

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"time"
)

// defaultTitles are the titles of the columns that rules need.
var defaultTitles = [5]string{"id", "client_id", "wallet_id", "quote_created_at", "settled_date"}

// saoPaulo has kept this offset since 2019, so that no zone data is needed.
var saoPaulo = time.FixedZone("America/Sao_Paulo", -3*60*60)

// render writes the file of some quotes.
func (q *call) render(quotes []quote) []byte {
	g, look := q.g, q.g.choices.CSV
	rows := [][]string{append(look.Titles[:len(look.Titles):len(look.Titles)], "amount", "currency", "note")}
	var cents int64
	for _, row := range quotes {
		cents += row.cents
		rows = append(rows, []string{
			row.id, row.client, row.wallet, g.dateText(row.created), g.dateText(row.settled), row.amount(), "USD",
			row.note,
		})
	}
	rows = g.effect.table(q, rows)
	if look.Totals {
		rows = append(rows, []string{look.Total, "", "", "", "", quote{cents: cents}.amount(), "USD", ""})
	}
	var out bytes.Buffer
	if look.BOM {
		out.WriteString("\uFEFF")
	}
	writer := csv.NewWriter(&out)
	writer.UseCRLF = look.CRLF
	if look.Semicolon {
		writer.Comma = ';'
	}
	_ = writer.WriteAll(rows) // writes into a buffer do not fail
	data := g.effect.text(q, out.Bytes())
	if look.Gzip {
		return compressed(data)
	}
	return data
}

func compressed(data []byte) []byte {
	var out bytes.Buffer
	writer := gzip.NewWriter(&out)
	_, _ = writer.Write(data)
	_ = writer.Close()
	return out.Bytes()
}

func (g *Gateway) dateText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	switch g.choices.CSV.Dates {
	case Offset:
		return t.In(saoPaulo).Format(dateTimeMillis)
	case Zoneless:
		return t.In(saoPaulo).Format("2006-01-02 15:04:05.000")
	}
	return t.UTC().Format(dateTimeMillis)
}
