package export

import (
	"fmt"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	"github.com/gateassay/gateassay/suites/spec"
)

// judgement is what a run finds out about the rows of exports: which it saw, and what explains
// them.
type judgement struct {
	*model.Universe
	*experiment
	completed map[*model.SeenExport]*completedExport
	from      map[*model.SeenExport]exportObservation
	quotes    map[string]statement.Quote // by the row's ID
	// extent is the range that exports are compared in; nil: there are few other quotes, which are
	// compared, too.
	extent *deployment.Window
	began  time.Time // start of the run, by the deployment's clock

	found model.Explanation // set by judgeAllExports
}

// newJudgement returns a judgement that holds the plain exports of an experiment.
func (s *Suite) newJudgement(ctx spec.Context, of *experiment) *judgement {
	f, first := s.t.Deployment.Fixtures, s.plain.window.Await(ctx)
	j := &judgement{
		Universe:   &model.Universe{Wallets: [2]string{f.DefaultWalletID, f.OtherWalletID}},
		experiment: of,
		completed:  map[*model.SeenExport]*completedExport{},
		from:       map[*model.SeenExport]exportObservation{},
		quotes:     map[string]statement.Quote{},
		began:      answers.ServerTime(first.answer).Add(-2 * time.Second), // it shows whole seconds
	}
	for _, o := range s.plain.all {
		if done, err := awaitUsable(ctx, o.exportObservation); err == nil &&
			(len(done.rows) > maxComparedQuotes || done.isPartial()) {
			j.extent = first.extent
		}
	}
	for _, o := range of.plain {
		j.addExport(o.exportObservation, o.Await(ctx)).Plain = true
	}
	return j
}

// addExport adds a finished export. A refused one counts as a file without rows.
func (j *judgement) addExport(o exportObservation, done *completedExport) *model.SeenExport {
	e := &model.SeenExport{Query: done.query.asked, Seq: done.answer.Seq, Refused: done.refused}
	var rows []model.ObservedQuote
	if !done.refused {
		rows, e.ReadInPart = j.modelRows(done), done.isPartial()
	}
	j.completed[e], j.from[e] = done, o
	return j.AddExport(e, rows)
}

// modelRows returns the quotes of a file for the model. It skips rows without an ID where the
// file has IDs.
func (j *judgement) modelRows(done *completedExport) []model.ObservedQuote {
	for i, old := range j.Unit {
		unit := done.table.Precision(model.DateKey(i).Column())
		if unit > 0 && (old == 0 || unit < old) {
			j.Unit[i] = unit
		}
	}
	j.Zoneless = j.Zoneless || done.table.HasUnzonedDates()
	rows := make([]model.ObservedQuote, 0, len(done.rows))
	for _, q := range done.rows {
		if q.IdentityIsJoined && done.table.HasColumn(statement.ColumnID) {
			continue
		}
		r := model.ObservedQuote{ID: q.Identity, Client: q.Client, Wallet: q.Wallet}
		for i := range r.Dates {
			key := model.DateKey(i).Column()
			r.Dates[i] = modelDate(q.DateFor(key), done.table.HasColumn(key), j.Unit[i])
		}
		if q.IdentityIsJoined { // however the dates are written
			r.ID = fmt.Sprint(r.Dates, q.Client, q.Wallet)
			if slices.Contains(r.Dates[:], model.UnknownDate()) {
				r.ID = q.Identity
			}
		}
		r.Unsteady = slices.ContainsFunc(r.Dates[:], j.liesInRun)
		if j.extent != nil && !slices.ContainsFunc(r.Dates[:], j.isNearExtent) {
			continue
		}
		if _, known := j.quotes[r.ID]; !known {
			j.quotes[r.ID] = q
		}
		rows = append(rows, r)
	}
	return rows
}

// liesInRun reports whether a date lies in the run, so that the quote may have been created or
// settled between two exports. Neither a future date nor a whole day shows that.
func (j *judgement) liesInRun(d model.RowDate) bool {
	return !d.None && d != model.UnknownDate() && d.Until-d.From <= int64(time.Minute) &&
		d.Until > j.began.UnixNano() &&
		d.From <= time.Now().Add(30*time.Minute).UnixNano() // their clock may be ahead of ours
}

// isNearExtent reports whether a date is unknown, in the extent, or no farther from it than its
// length. Files without bounds may hold too many quotes to compare them all.
func (j *judgement) isNearExtent(d model.RowDate) bool {
	length := j.extent.End.Sub(j.extent.Start)
	from, until := j.extent.Start.Add(-length).UnixNano(), j.extent.End.Add(length).UnixNano()
	return d == model.UnknownDate() || !d.None && d.From >= from && d.From < until
}

func modelDate(m statement.DateCell, shown bool, unit time.Duration) model.RowDate {
	at := m.Instants()
	switch {
	case m.Empty && shown:
		return model.RowDate{None: true}
	case len(at) == 0, m.Precision == statement.Day && unit < statement.Day,
		at[0].Year() < 1700, at[0].Year() > 2200:
		return model.UnknownDate()
	}
	d := model.RowDate{From: at[0].UnixNano(), Until: at[0].Add(unit).UnixNano()}
	if unit == statement.Day {
		d.Until = at[0].AddDate(0, 0, 1).UnixNano()
	}
	if len(at) > 1 {
		d.Later = int64(at[1].Sub(at[0]))
	}
	return d
}

// compareWithRetake compares an export with a repetition of it. Rows that are not in both, or
// whose dates changed, become unsteady. The number of such rows tells changing quotes from a
// deployment that answers inconsistently.
func (j *judgement) compareWithRetake(
	e *model.SeenExport, now *completedExport,
) (changed int) {
	then := map[string]model.ObservedQuote{}
	for _, at := range e.Rows {
		then[j.Rows[at].ID] = j.Rows[at]
	}
	for _, r := range j.modelRows(now) {
		if old, there := then[r.ID]; !there || old.Dates != r.Dates && e.Language == "" {
			changed += j.MarkUnsteady(r.ID)
		}
		delete(then, r.ID)
	}
	if !now.isPartial() {
		for id := range then {
			changed += j.MarkUnsteady(id)
		}
	}
	return changed
}
