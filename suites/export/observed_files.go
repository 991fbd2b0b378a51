package export

import (
	"fmt"
	"mime"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
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
		s.repeatedRows()
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

// repeatedRows: quotes that are there twice, in the first file and in any other.
func (s *Suite) repeatedRows() {
	s.Rule("export.observed.repeated_rows", Observe, ExportOperation, "Quotes that are in a file twice.", func() {
		s.Uses(s.plain.window)
		seen := spec.Observe(s.Plan, "quotes that are in a file twice", act(func(l look) string {
			first := l.sheet(s.plain.window)
			if !first.bound() {
				l.end(first.usable())
			}
			l.unmetIf(!first.table.Has(statement.ID), "export.csv.columns.id",
				"no column of the file is known to hold the quote's ID, and two quotes may look the same otherwise")
			text := fmt.Sprintf("%d of %d", len(first.repeated()), len(first.rows))
			s.mu.Lock()
			defer s.mu.Unlock()
			for _, sh := range s.taken {
				if sh.usable() == nil && len(sh.repeated()) > 0 && len(first.repeated()) == 0 {
					return text + " in the first file; some in the export of " + sh.query.label
				}
			}
			return text
		}), spec.OfAll)
		s.It("the files of exports", func(ctx spec.Context) { ctx.Note("%s", seen.Await(ctx)) })
	})
}

func (sh *sheet) repeated() []statement.Quote { return statement.Duplicates(sh.table.Quotes()) }

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

// named says what a file is called and of which type it is.
func named(f client.ExportFile) string {
	media, _, err := mime.ParseMediaType(f.MediaType)
	if err != nil {
		media = "no media type"
	}
	text := "no name, " + media
	if f.Name != "" {
		text = "a name that ends with " + extension(f.Name) + ", " + media
	}
	if f.Encoding != "" {
		text += ", " + f.Encoding
	}
	return text
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

// transitions are the states that a file was seen in. How long each lasted varies, and so does whether one is seen that
// is soon over: what lasts is what can be compared.
func (s *Suite) transitions(sh *sheet) []record.Value {
	var steps, lasting []string
	states := sh.fetched.States
	for i, st := range states {
		end := sh.fetched.Took
		if i+1 < len(states) {
			end = states[i+1].After
		}
		step := st.Value
		if i+1 < len(states) || sh.fault != nil {
			step += " for " + roughly(end-st.After)
		}
		if i+1 == len(states) || end-st.After >= time.Second {
			lasting = append(lasting, s.shown(st.Value))
		}
		steps = append(steps, step)
	}
	path := strings.Join(steps, ", then ")
	if path == "" {
		lasting, path = []string{"none was seen"}, "the file took "+roughly(sh.fetched.Took)
	}
	values := []record.Value{
		record.Seen("states that last", lasting...),
		{Name: "seen", Values: []string{s.shown(path)}, Varies: true},
	}
	if sh.fault != nil {
		values = append(values, record.Seen("the file was not fetched", string(sh.fault.Fault)))
	}
	return values
}

// otherRows says how many rows are not quotes and where they stand, and nothing of what they hold.
func otherRows(others statement.Others) string {
	if others.Count == 0 {
		return "none"
	}
	where := "within the file"
	switch {
	case others.AtEnd:
		where = "at the end"
	case others.AtStart:
		where = "at the beginning"
	}
	rows := "1 row"
	if others.Count > 1 {
		rows = fmt.Sprintf("%d rows", others.Count)
	}
	return rows + " without a date and an ID, " + where
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

// extension is what a name ends with, .csv.gz as a whole.
func extension(name string) string {
	ext := path.Ext(name)
	if inner := path.Ext(strings.TrimSuffix(name, ext)); strings.EqualFold(ext, ".gz") && inner != "" {
		ext = inner + ext
	}
	if ext == "" {
		return "no extension"
	}
	return strings.ToLower(ext)
}

// roughly is a duration that two runs can be compared by.
func roughly(d time.Duration) string {
	steps := []time.Duration{time.Second, 5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute}
	short := func(d time.Duration) string { return strings.TrimSuffix(d.String(), "0s") }
	switch i := slices.IndexFunc(steps, func(limit time.Duration) bool { return d < limit }); i {
	case -1:
		return "more than " + short(steps[len(steps)-1])
	case 0:
		return "less than " + short(steps[0])
	default:
		return fmt.Sprintf("%s to %s", short(steps[i-1]), short(steps[i]))
	}
}
