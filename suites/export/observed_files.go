package export

import (
	"context"
	"fmt"
	"mime"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/spec"
)

// observedFiles: what the document leaves open about the file.
func (s *suite) observedFiles() {
	// The states of a file and how it gets from one to another are not shown.
	s.p.It("export.observed.transitions", "the file of an export", spec.After(s.first), func(ctx context.Context) {
		sh := s.started(ctx)
		var steps []string
		seen := sh.fetched.States
		for i, st := range seen {
			end := sh.fetched.Took
			if i+1 < len(seen) {
				end = seen[i+1].After
			}
			step := st.Value
			if i+1 < len(seen) || sh.fault != nil {
				step += " for " + roughly(end-st.After)
			}
			steps = append(steps, step)
		}
		text := strings.Join(steps, ", then ")
		if text == "" {
			text = "no state was seen; the file took " + roughly(sh.fetched.Took)
		}
		if sh.fault != nil {
			text += "; the file was not fetched: " + string(sh.fault.Fault)
		}
		s.p.Note("%s", s.shown(text))
	})
	// Nor are the file's name and media type.
	s.p.It("export.observed.file_name", "the file of an export", spec.After(s.first), func(ctx context.Context) {
		f := s.ended(ctx).fetched
		media, _, err := mime.ParseMediaType(f.MediaType)
		if err != nil {
			media = "no media type"
		}
		name := "no name"
		if f.Name != "" {
			name = "a name that ends with " + extension(f.Name)
		}
		text := name + ", " + media
		if f.Encoding != "" {
			text += ", " + f.Encoding
		}
		s.p.Note("%s", s.shown(text))
	})
	// Nor its dialect.
	s.p.It("export.observed.dialect", "the file of an export", spec.After(s.first), func(ctx context.Context) {
		d := s.parsed(ctx).csv.Dialect
		s.p.Note("delimiter %s, %s, byte order mark %v, line ends %s, quoted fields %v",
			strconv.QuoteRune(d.Delimiter), d.Encoding, d.BOM, d.LineEnd, d.Quoted)
	})
	// Nor its columns.
	s.p.It("export.observed.columns", "the file of an export", spec.After(s.first), func(ctx context.Context) {
		sh := s.parsed(ctx)
		if untitled(sh.csv) {
			s.p.Note("%d columns without titles", len(sh.csv.Columns))
			return
		}
		s.p.Note("%s", s.t.Client.Redactor().Text(strings.Join(sh.csv.Columns, ", ")))
	})
	// Nor that each row is a quote: one without a date and an ID, such as a row of totals, is none.
	s.p.It("export.observed.other_rows", "the file of an export", spec.After(s.first), func(ctx context.Context) {
		sh := s.parsed(ctx)
		if sh.table == nil {
			s.p.GiveUp(sh.usable())
		}
		s.p.Note("%s", otherRows(sh.csv.Rows, sh.table.Others()))
	})
	// Nor how rows that share a date are ordered.
	s.p.It("export.observed.ties", "the files of the window", spec.After(s.first, s.createdAsc), func(ctx context.Context) {
		w, err := s.base(ctx)
		if err != nil {
			s.p.GiveUp(err)
		}
		order := tieOrder(w.rows)
		if rising, ok := s.createdAsc.Settled(ctx); ok && rising.dated(w.key) == nil {
			s.p.Note("desc: %s; asc: %s", order, tieOrder(rising.rows))
			return
		}
		s.p.Note("desc: %s", order)
	})
}

// otherRows says how many rows are no quotes and where they stand, and nothing of what they hold.
func otherRows(all, others []statement.Row) string {
	if len(others) == 0 {
		return "none"
	}
	where := "within the file"
	switch {
	case others[0].Line == all[len(all)-len(others)].Line:
		where = "at the end"
	case others[len(others)-1].Line == all[len(others)-1].Line:
		where = "at the beginning"
	}
	rows := "1 row"
	if len(others) > 1 {
		rows = fmt.Sprintf("%d rows", len(others))
	}
	return rows + " without a date and an ID, " + where
}

// tieOrder says by which of the known columns rows that share a creation date are ordered.
func tieOrder(rows []statement.Quote) string {
	type rank struct {
		name         string
		less         func(a, b statement.Quote) int
		rises, falls bool
	}
	ranks := []rank{
		{name: "ID", less: func(a, b statement.Quote) int { return strings.Compare(a.Identity, b.Identity) }, rises: true, falls: true},
		{name: "settled_date", less: func(a, b statement.Quote) int { return a.SettledDate.Time.Compare(b.SettledDate.Time) }, rises: true, falls: true},
	}
	ties := 0
	for i := 1; i < len(rows); i++ {
		a, b := rows[i-1], rows[i]
		if !a.CreatedAt.Usable() || !b.CreatedAt.Usable() || !a.CreatedAt.Time.Equal(b.CreatedAt.Time) {
			continue
		}
		ties++
		for k := range ranks {
			step := ranks[k].less(a, b)
			ranks[k].rises = ranks[k].rises && step <= 0
			ranks[k].falls = ranks[k].falls && step >= 0
		}
	}
	if ties == 0 {
		return "no ties"
	}
	for _, r := range ranks {
		switch {
		case r.rises && !r.falls:
			return "rising by " + r.name
		case r.falls && !r.rises:
			return "falling by " + r.name
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
	for i, limit := range steps {
		if d < limit {
			if i == 0 {
				return "less than 1s"
			}
			return fmt.Sprintf("%s to %s", short(steps[i-1]), short(limit))
		}
	}
	return "more than " + short(steps[len(steps)-1])
}

func short(d time.Duration) string {
	if d >= time.Minute {
		return fmt.Sprintf("%dm", int(d.Minutes()))
	}
	return fmt.Sprintf("%ds", int(d.Seconds()))
}
