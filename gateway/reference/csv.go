package reference

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"slices"
	"strings"
	"time"
)

// defaultTitles are the titles of the columns that rules need.
var defaultTitles = [5]string{"id", "client_id", "wallet_id", "quote_created_at", "settled_date"}

// saoPaulo has kept this offset since 2019, so that no zone data is needed.
var saoPaulo = time.FixedZone("America/Sao_Paulo", -3*60*60)

// render writes the file of some quotes.
func (g *Gateway) render(quotes []quote) []byte {
	look := g.choices.CSV
	var out bytes.Buffer
	if look.BOM {
		out.WriteString("\uFEFF")
	}
	writer := csv.NewWriter(&out)
	writer.UseCRLF = look.CRLF
	if look.Semicolon {
		writer.Comma = ';'
	}
	titles := look.Titles
	// Writes into a buffer do not fail; the writer reports nothing else.
	put := func(fields ...string) {
		if g.fault("export.file.date_column_missing") {
			fields = slices.Delete(fields, 3, 4)
		}
		_ = writer.Write(fields)
	}
	if !g.fault("export.file.no_titles") {
		put(titles[0], titles[1], titles[2], titles[3], titles[4], "amount", "currency", "note")
	}
	var cents int64
	for i, q := range quotes {
		if i == 0 && g.fault("export.file.first_id_blank") {
			q.id = ""
		}
		cents += q.cents
		put(q.id, q.client, q.wallet, g.dateText(q.created), g.dateText(q.settled), q.amount(), "USD", q.note)
	}
	if look.Totals {
		put(look.Total, "", "", "", "", quote{cents: cents}.amount(), "USD", "")
	}
	writer.Flush()
	data := g.spoilText(out.Bytes())
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

// spoilText applies the faults of the file as text.
func (g *Gateway) spoilText(data []byte) []byte {
	switch {
	case g.fault("export.file.empty"):
		return nil
	case g.fault("export.file.unbalanced_quote"):
		return append(data, "\"never closed,1,2\n"...)
	case g.fault("export.file.short_row"):
		return append(data, "a,b\n"...)
	case g.fault("export.file.cut"):
		return data[:len(data)*2/3]
	case g.fault("export.file.json"):
		return []byte(`[{"id":"1"},` + "\n" + `{"id":"2","note":"x"}]`)
	case g.fault("export.file.notes_unquoted"):
		text := strings.ReplaceAll(string(data), `""`, "")
		return []byte(strings.ReplaceAll(text, `"`, ""))
	}
	return data
}
