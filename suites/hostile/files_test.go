package hostile

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf16"
)

// filesOf returns files that no reader expects.
func filesOf() []trouble {
	only := []reach{files}
	file := func(name, cause string, make func(csv string) string) trouble {
		return trouble{
			group: "file", name: name, reaches: only, accuses: true, cause: cause,
			spoil: func(l *wire, a answer) {
				a.body = []byte(make(string(a.body)))
				l.plain(a)
			},
		}
	}
	fixed := func(name, cause string, text func() string) trouble {
		once := sync.OnceValue(text)
		return file(name, cause, func(string) string { return once() })
	}
	const header = "id,client_id,wallet_id,quote_created_at,settled_date,amount,currency,note\n"
	row := func(i int) string {
		return fmt.Sprintf(
			"7d1f5a52-5a0f-4c0e-8a37-%012d,CLIENT-1,w,2025-01-%02dT10:00:%02d.%03dZ,2025-01-20T10:00:00.000Z,1.00,USD,\n",
			i,
			1+i/1000%28,
			i/100%60,
			i%1000,
		)
	}
	rows := func(count int) func() string {
		return func() string {
			var b strings.Builder
			b.WriteString(header)
			for i := range count {
				b.WriteString(row(i))
			}
			return b.String()
		}
	}
	cell := func(column int, of func(cell string) string) func(string) string {
		return func(csv string) string {
			lines := strings.SplitAfter(csv, "\n")
			for i, line := range lines[1:] {
				if cells := strings.Split(line, ","); len(cells) > column {
					cells[column] = of(cells[column])
					lines[i+1] = strings.Join(cells, ",")
				}
			}
			return strings.Join(lines, "")
		}
	}
	units := func(csv string) string {
		out := []byte{0xff, 0xfe}
		for _, u := range utf16.Encode([]rune(csv)) {
			out = append(out, byte(u), byte(u>>8))
		}
		return string(out)
	}
	return []trouble{
		fixed("of 60 MB", "", rows(500_000)),
		fixed("of 10,000 rows", "", rows(10_000)),
		fixed("of one row of 50 MB", "longer than",
			func() string { return header + "a," + strings.Repeat("x", 50<<20) + "\n" }),
		fixed("of one field of 50 MB of line ends", "longer than",
			func() string { return header + "\"" + strings.Repeat("\n", 50<<20) + "\"\n" }),
		fixed("of 50 MB of commas", "longer than|columns",
			func() string { return strings.Repeat(",", 50<<20) }),
		fixed("of 50 MB of quotes", "quote|longer than|empty|header",
			func() string { return strings.Repeat("\"", 50<<20) }),
		fixed("of 100,000 columns", "columns", func() string {
			return strings.Repeat("a,", 100_000) + "a\n" + strings.Repeat("1,", 100_000) + "1\n"
		}),
		{
			group: "file", name: "of 200 MB in a small gzip", reaches: only, accuses: true,
			spoil: zipped(func() []byte { return bomb(200<<20, row(1)) }, ""),
		},
		{
			group: "file", name: "of 1.1 GB of blanks in a small gzip", reaches: only, accuses: true,
			cause: "larger|longer|empty|blank",
			spoil: zipped(func() []byte { return bomb(1100<<20, " ") }, ""),
		},
		file("ragged in the middle", "fields", func(csv string) string {
			at := strings.IndexByte(csv[len(csv)/2:], '\n') + len(csv)/2 + 1
			return csv[:at] + "a,b\n" + csv[at:]
		}),
		file("cut in the middle", "", func(csv string) string { return csv[:len(csv)/2] }),
		file("empty", "empty", func(string) string { return "" }),
		file("with only a header", "quote",
			func(csv string) string { return csv[:strings.IndexByte(csv, '\n')+1] }),
		file("without a header", "column|title",
			func(csv string) string { return csv[strings.IndexByte(csv, '\n')+1:] }),
		file("not UTF-8", "",
			func(csv string) string { return strings.ReplaceAll(csv, "USD", "\xff\x80D") }),
		file("with a byte that no encoding has", "0x81",
			func(csv string) string { return strings.ReplaceAll(csv, "USD", "\x81") }),
		file("in UTF-16", "", units),
		file("in UTF-16, cut in a unit", "cut off|odd",
			func(csv string) string { s := units(csv); return s[:len(s)-1] }),
		file("with NUL", "NUL",
			func(csv string) string { return strings.ReplaceAll(csv, "USD", "\x00") }),
		file("in HTML", "HTML", func(string) string { return "<html><body>no</body></html>" }),
		file("in JSON", "JSON|address|state", func(string) string { return `{"error": "no"}` }),
		file("a spreadsheet", "XLSX",
			func(string) string { return "PK\x03\x04" + strings.Repeat("x", 1000) }),
		file("an open quote", "quote", func(csv string) string { return csv + "\"a" }),
		file("unreadable dates", "notation|date", cell(3, func(string) string { return "sometime" })),
		file("dates of the year 9999", "",
			cell(3, func(string) string { return "9999-12-31T23:59:59.999Z" })),
		file("dates of the year 0", "",
			cell(3, func(string) string { return "0000-01-01T00:00:00.000Z" })),
		file("one ID for all", "",
			cell(0, func(string) string { return "7d1f5a52-5a0f-4c0e-8a37-000000000001" })),
		file("control characters in IDs", "", cell(0, func(id string) string { return "\x1b[31m" + id })),
		file("cut in the middle every second time", "",
			alternating(func(csv string) string { return csv[:len(csv)/2] })),
		file("with other columns every second time", "",
			alternating(func(csv string) string { return strings.ReplaceAll(csv, ",", ",,") })),
		file("that changes every time", "",
			func(csv string) string { return csv + row(rand.IntN(1_000_000)) }),
		file("with shuffled rows", "", func(csv string) string {
			lines := strings.SplitAfter(strings.TrimSuffix(csv, "\n"), "\n")
			rand.Shuffle(len(lines)-1, func(i, j int) { lines[i+1], lines[j+1] = lines[j+1], lines[i+1] })
			return strings.Join(lines, "")
		}),
	}
}

// alternating changes every second file.
func alternating(change func(csv string) string) func(string) string {
	var count atomic.Int64
	return func(csv string) string {
		if count.Add(1)%2 == 0 {
			return change(csv)
		}
		return csv
	}
}

// unreadyFiles returns troubles in which the file never arrives, although every answer is valid.
func unreadyFiles() []trouble {
	say := func(name string, status int, kind, body string, reaches ...reach) trouble {
		return trouble{
			group: "file never ready", name: name, reaches: reaches, accuses: true,
			cause: "not ready|no file within|empty|unusable",
			spoil: func(l *wire, _ answer) {
				l.plain(answer{status, http.Header{"Content-Type": {kind}}, []byte(body)})
			},
		}
	}
	const json, csv = "application/json", "text/csv"
	return []trouble{
		say("202 for ever", 202, csv, "", files, polls),
		say("204 for ever", 204, csv, "", files, polls),
		say("404 for ever", 404, json, `{"error":{"code":"not_found"}}`, files, polls),
		say("409 for ever", 409, json, `{"error":{"code":"not_ready"}}`, files, polls),
		say("200 with an empty body for ever", 200, csv, "", files, polls),
		say("its first state for ever", 200, json, `{"state":"PROCESSING"}`, polls),
		say("an unknown state", 200, json, `{"state":"GATEASSAY"}`, polls),
		say("no state", 200, json, `{}`, polls),
		say("ready, but without an address", 200, json, `{"state":"READY"}`, polls),
		say("an invalid address", 200, json, `{"state":"READY","url":"::"}`, polls),
	}
}
