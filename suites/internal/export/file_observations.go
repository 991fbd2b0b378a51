package export

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/spec"
)

// declareFileObservations declares the rules that record what the document leaves open about
// files, as far as the file of the window can be read.
func (s *Suite) declareFileObservations() {
	started := func(done *completedExport) bool { return !done.refused }
	readable := func(done *completedExport) bool {
		return done.csv != nil && (done.broken == nil || done.isBlank())
	}
	dated := func(done *completedExport) bool { return done.undatedReason() == nil }
	s.Describe("observed of files", func() {
		s.ruleObservesFile("export.observed.transitions", SectionStates,
			"States of the file on its way to being ready, and how long each lasts.", started,
			s.recordTransitions)
		s.ruleObservesFile("export.observed.file_name", SectionExport,
			"Name and media type of the file.", readable,
			func(ctx spec.Context, done *completedExport) {
				f := done.fetched
				ending := strings.ToLower(path.Ext(f.Name))
				ctx.RecordObserved("ending", s.redactAndQuote(cmp.Or(ending, "none")))
				ctx.RecordObserved("media type", s.redactAndQuote(cmp.Or(f.MediaType, "none")))
				ctx.RecordObserved("compression", cmp.Or(f.Encoding, "none"))
			})
		s.ruleObservesFile("export.observed.dialect", SectionExport,
			"Delimiter, encoding and line ends of the file.", readable,
			func(ctx spec.Context, done *completedExport) {
				d := done.csv.Dialect
				ctx.RecordObserved("delimiter", strconv.QuoteRune(d.Delimiter))
				ctx.RecordObserved("encoding", d.Encoding)
				ctx.RecordObserved("byte order mark", strconv.FormatBool(d.BOM))
				ctx.RecordObserved("line ends", d.LineEnd)
				ctx.RecordObserved("quoted fields", strconv.FormatBool(d.Quoted))
				ctx.RecordObserved("around the table", cmp.Or(done.csv.LinesAroundTable(), "nothing"))
			})
		s.ruleObservesFile("export.observed.columns", SectionExport,
			"Columns of the file, and whether the dates that bounds and sorting refer to are among them.",
			readable, recordColumns)
		s.ruleObservesFile("export.observed.ties", SectionExport,
			"Order of rows that share a date.", dated,
			func(ctx spec.Context, done *completedExport) {
				ctx.RecordObserved("desc", describeTieOrder(done.rows))
			}, spec.NeedsKeys("fixtures.window"))
	})
}

// ruleObservesFile declares a rule that records what the file of the window shows, if that is as
// far as reached asks.
func (s *Suite) ruleObservesFile(
	id string, section Section, text string, reached func(*completedExport) bool,
	note func(spec.Context, *completedExport), options ...any,
) {
	spec.Helper()
	s.Rule(id, Observe, section, text, append(options, func() {
		s.UseObservations(s.plain.window)
		s.It("the file of an export", func(ctx spec.Context) {
			done := s.plain.window.Await(ctx)
			if !reached(done) {
				ctx.StopOnError(cmp.Or(done.unusableReason(), done.undatedReason()))
			}
			note(ctx, done)
		})
	})...)
}

// dataCellPattern matches a cell of a row: a date, an identifier or a number.
var dataCellPattern = regexp.MustCompile(
	`^(\d{4}-\d{2}-\d{2}.*|\d{2}/\d{2}/\d{4}.*|[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|\d+([.,]\d+)*)$`)

// recordColumns records the titles of a file, and the dates that no title is known for. It shows
// nothing of a first line that is a row.
func recordColumns(ctx spec.Context, done *completedExport) {
	titles := done.csv.Columns
	if slices.ContainsFunc(titles,
		func(cell string) bool { return dataCellPattern.MatchString(strings.TrimSpace(cell)) }) {
		ctx.RecordObservedf("%d columns without titles", len(titles))
		return
	}
	ctx.RecordObserved("", titles...)
	for _, key := range []statement.ColumnKey{statement.ColumnCreatedAt, statement.ColumnSettledDate} {
		if done.table == nil || !done.table.HasColumn(key) {
			ctx.RecordObserved("none is known to hold", string(key))
		}
	}
}

// recordTransitions records the states that a file was seen in, and when. Only the last state is
// comparable between runs: a short one may be missed.
func (s *Suite) recordTransitions(ctx spec.Context, done *completedExport) {
	var seen []string
	last := "none"
	for _, st := range done.fetched.States {
		last = s.redactAndQuote(st.Value)
		seen = append(seen, fmt.Sprintf("%s after %s", last, st.After.Round(time.Second)))
	}
	seen = append(seen, "the end after "+done.fetched.Took.Round(time.Second).String())
	ctx.RecordObserved("last state", last)
	ctx.RecordVarying("seen", strings.Join(seen, ", "))
}

// describeTieOrder says whether rows of one creation date are ordered by ID.
func describeTieOrder(rows []statement.Quote) string {
	ties, rises, falls := false, true, true
	for i := 1; i < len(rows); i++ {
		a, b := rows[i-1], rows[i]
		if a.CreatedAt.IsOneInstant() && b.CreatedAt.IsOneInstant() &&
			a.CreatedAt.Time.Equal(b.CreatedAt.Time) {
			step := strings.Compare(a.Identity, b.Identity)
			ties, rises, falls = true, rises && step <= 0, falls && step >= 0
		}
	}
	switch {
	case !ties:
		return "no ties"
	case rises:
		return "rising by ID"
	case falls:
		return "falling by ID"
	}
	return "not by ID"
}
