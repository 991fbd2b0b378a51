package export

import (
	"cmp"
	"fmt"
	"mime"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/printable"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// observedFiles: what the document leaves open about the file.
func (s *Suite) observedFiles() {
	s.Describe("observed of files", func() {
		s.ofFile("export.observed.transitions", States,
			"States of the file on its way to being ready, and how long each lasts.", (*sheet).started,
			s.transitions)
		s.ofFile("export.observed.file_name", ExportOperation, "Name and media type of the file.", (*sheet).ended,
			inWords(func(sh *sheet) string { return s.shown(named(sh.fetched)) }))
		s.ofFile("export.observed.dialect", ExportOperation, "Delimiter, encoding and line ends of the file.",
			(*sheet).parsed, inWords(func(sh *sheet) string {
				d := sh.csv.Dialect
				text := fmt.Sprintf("delimiter %s, %s, byte order mark %v, line ends %s, quoted fields %v",
					strconv.QuoteRune(d.Delimiter), d.Encoding, d.BOM, d.LineEnd, d.Quoted)
				if around := sh.csv.Around(); around != "" {
					text += "; " + around
				}
				return text
			}))
		s.ofFile("export.observed.columns", ExportOperation,
			"Columns of the file, and whether the dates that bounds and sorting refer to are among them.",
			(*sheet).parsed, columns)
		// A row without a date and an ID, such as one of totals, is not a quote.
		s.ofFile("export.observed.other_rows", ExportOperation,
			"Rows of the file that are not quotes, such as one of totals.", (*sheet).bound,
			inWords(func(sh *sheet) string { return otherRows(sh.table.Others()) }))
		s.ofFile("export.observed.repeated_rows", ExportOperation, "Quotes that are in a file twice.", (*sheet).bound, repeatedRows)
		s.Rule("export.observed.ties", Observe, ExportOperation, "Order of rows that share a date.",
			spec.Needs("fixtures.window"), func() {
				s.Uses(s.plain.window, s.plain.rising)
				s.It("the files of the window", func(ctx spec.Context) {
					sh := s.plain.window.Await(ctx)
					if err := sh.dated(statement.CreatedAt); err != nil {
						ctx.GiveUp(err)
					}
					seen := []record.Value{record.Seen("desc", tieOrder(sh.rows))}
					if rising, ok := s.plain.rising.Settled(ctx); ok && rising.dated(statement.CreatedAt) == nil {
						seen = append(seen, record.Seen("asc", tieOrder(rising.rows)))
					}
					ctx.Saw(seen...)
				})
			})
	})
}

// repeatedRows counts the quotes that a file holds more than once. Without IDs two quotes may look the same.
func repeatedRows(sh *sheet) []record.Value {
	if !sh.table.Has(statement.ID) {
		return record.Each([]string{"no column is known to hold the quote's ID (export.csv.columns.id)"})
	}
	return record.Each([]string{fmt.Sprintf("%d of %d", len(statement.Duplicates(sh.table.Quotes())), len(sh.rows))})
}

// ofFile declares a rule that notes something about the first file, given that it came so far.
func (s *Suite) ofFile(id string, section Section, text string, far func(*sheet) bool, note func(*sheet) []record.Value,
) {
	spec.Helper()
	s.Rule(id, Observe, section, text, func() {
		s.Uses(s.plain.window)
		s.It("the file of an export", func(ctx spec.Context) {
			sh := s.plain.window.Await(ctx)
			if !far(sh) {
				ctx.GiveUp(sh.usable())
			}
			ctx.Saw(note(sh)...)
		})
	})
}

// named says how the name of a file ends, and of which type it is.
func named(f client.ExportFile) string {
	media, _, err := mime.ParseMediaType(f.MediaType)
	if err != nil {
		media = "no media type"
	}
	name := "no name"
	if f.Name != "" {
		name = "a name that ends with " + cmp.Or(strings.ToLower(path.Ext(f.Name)), "no extension")
	}
	return strings.TrimSuffix(name+", "+media+", "+f.Encoding, ", ")
}

// dataCell is what stands in a row: a date, an identifier, a number.
var dataCell = regexp.MustCompile(
	`^(\d{4}-\d{2}-\d{2}.*|\d{2}/\d{2}/\d{4}.*|[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|\d+([.,]\d+)*)$`)

// columns lists the titles of a file, and the dates that none of them is known to hold.
func columns(sh *sheet) []record.Value {
	if untitled(sh.csv) {
		return record.Each([]string{fmt.Sprintf("%d columns without titles", len(sh.csv.Columns))})
	}
	values := []record.Value{record.Seen("", sh.csv.Columns...)}
	for _, key := range []statement.Key{statement.CreatedAt, statement.SettledDate} {
		if sh.table == nil || !sh.table.Has(key) {
			values = append(values, record.Seen("none is known to hold", string(key)))
		}
	}
	return values
}

// inWords makes one value of what is said in words.
func inWords(say func(*sheet) string) func(*sheet) []record.Value {
	return func(sh *sheet) []record.Value { return record.Each([]string{say(sh)}) }
}

// untitled reports a file whose first line is a row: data stands where titles should.
func untitled(csv *statement.Statement) bool {
	return slices.ContainsFunc(csv.Columns, func(cell string) bool {
		return dataCell.MatchString(strings.TrimSpace(cell))
	})
}

// transitions are the states that a file was seen in, and when. One that is soon over is not seen each time: where a file
// begins and ends can be compared.
func (s *Suite) transitions(sh *sheet) []record.Value {
	var seen, ends []string
	for i, st := range sh.fetched.States {
		seen = append(seen, fmt.Sprintf("%s after %s", s.shown(st.Value), st.After.Round(time.Second)))
		if i == 0 || i == len(sh.fetched.States)-1 {
			ends = append(ends, s.shown(st.Value))
		}
	}
	seen = append(seen, "the end after "+sh.fetched.Took.Round(time.Second).String())
	if len(ends) == 0 {
		ends = []string{"none"}
	}
	values := []record.Value{
		record.Seen("first and last state", ends...),
		{Name: "seen", Values: []string{strings.Join(seen, ", ")}, Varies: true},
	}
	if sh.fault != nil {
		values = append(values, record.Seen("the file was not fetched", string(sh.fault.Fault)))
	}
	return values
}

// otherRows says how many rows are not quotes and where they stand, and nothing of what they hold.
func otherRows(others statement.Others) string {
	where := "within the file"
	switch {
	case others.Count == 0:
		return "none"
	case others.AtEnd:
		where = "at the end"
	case others.AtStart:
		where = "at the beginning"
	}
	return printable.Quantity(others.Count, "row") + " without a date and an ID, " + where
}

// tieOrder says by which of the known columns rows that share a creation date are ordered.
func tieOrder(rows []statement.Quote) string {
	ties := false
	for _, by := range []struct {
		name    string
		compare func(a, b statement.Quote) int
	}{
		{"ID", func(a, b statement.Quote) int { return strings.Compare(a.Identity, b.Identity) }},
		{"settled_date", func(a, b statement.Quote) int { return a.SettledDate.Time.Compare(b.SettledDate.Time) }},
	} {
		rises, falls := true, true
		for i, b := range rows[min(1, len(rows)):] {
			a := rows[i]
			if a.CreatedAt.Usable() && b.CreatedAt.Usable() && a.CreatedAt.Time.Equal(b.CreatedAt.Time) {
				step := by.compare(a, b)
				ties, rises, falls = true, rises && step <= 0, falls && step >= 0
			}
		}
		switch {
		case !ties:
			return "no ties"
		case rises && !falls:
			return "rising by " + by.name
		case falls && !rises:
			return "falling by " + by.name
		}
	}
	return "by neither ID nor settled_date"
}
