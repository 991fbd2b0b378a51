package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// isAmong reports whether an export is one of the contradicting ones.
func isAmong(all []*model.Contradiction, e *model.SeenExport) bool {
	return slices.ContainsFunc(all, func(c *model.Contradiction) bool { return c.Export == e })
}

// unexplained returns the contradictions to the document of the exports that the reading leaves
// unexplained. A reading that is only nearly right is no evidence against the others.
func (j *judgement) unexplained() []*model.Contradiction {
	return slices.DeleteFunc(j.ContradictionsToDocument(j.found.Reading()),
		func(c *model.Contradiction) bool { return !isAmong(j.found.Left, c.Export) })
}

// correctTwin returns the correct export most similar to of, or nil if there is none.
func (j *judgement) correctTwin(of *model.SeenExport) *client.Exchange {
	twin := j.MostSimilar(of, func(e *model.SeenExport) bool {
		return e != of && !e.Refused && !isAmong(j.found.Wrong, e)
	})
	if twin == nil {
		return nil
	}
	return j.completed[twin].answer
}

// exportCopiedBy returns a correct export of the same rows, whose file of may have been given: one
// of the same range or, with before, any that was sent before. It prefers one with the same body.
func (j *judgement) exportCopiedBy(of *model.SeenExport, before bool) []spec.RepeatRequest {
	var source *model.SeenExport
	for _, e := range j.Exports {
		if (e.Start == of.Start && e.End == of.End || before && e.Seq < of.Seq) && len(e.Rows) > 0 &&
			slices.Equal(e.Rows, of.Rows) && !isAmong(j.found.Wrong, e) && !e.SelectsAs(of) &&
			(source == nil || e.SameBody(of) && !source.SameBody(of)) {
			source = e
		}
	}
	if source == nil {
		return nil
	}
	return j.completed[source].repeatRequests()
}

// firstInversion returns the first two rows of an export that are in the wrong order of a date,
// in their correct order.
func (j *judgement) firstInversion(e *model.SeenExport, key model.DateKey) []statement.Quote {
	var last *model.ObservedQuote
	for _, at := range e.Rows {
		r := &j.Rows[at]
		if !r.Dates[key].IsExact() || r.Unsteady {
			continue
		}
		if last != nil && last.Dates[key].From != r.Dates[key].From &&
			(last.Dates[key].From < r.Dates[key].From) != (e.Order == "asc") {
			return []statement.Quote{j.quotes[r.ID], j.quotes[last.ID]}
		}
		last = r
	}
	return nil
}

// restOn notes that a case relies on an export.
func (j *judgement) restOn(ctx spec.Context, e *model.SeenExport) {
	if o := j.from[e]; o != nil {
		o.TryGet(ctx)
	}
}

// blameUnexplained returns the ID of the rule that unexplained rows break, and how.
func (j *judgement) blameUnexplained(left []*model.Contradiction) (rule, cause string) {
	rule = ruleDesc
	if left[0].Export.Order == "asc" {
		rule = ruleAsc
	}
	for _, c := range left {
		if slices.ContainsFunc(c.Extra, func(row int) bool { return j.isForeignRow(row, c.Export) }) {
			return ruleIsolation, othersRowsCause
		}
		if len(c.Missing)+len(c.Extra) > 0 || c.LosesNothing {
			rule = rulePartition
		}
	}
	if slices.ContainsFunc(left, func(c *model.Contradiction) bool { return !j.addsOtherClients(c) }) {
		if rule == rulePartition && !slices.ContainsFunc(left, func(c *model.Contradiction) bool {
			return len(c.Missing) == 0 || len(c.Extra) > 0 || c.Disorder
		}) {
			return rule, lostRowsCause
		}
		if j.shareRows(left) {
			return rule, sharedRowsCause
		}
		return rule, unexplainedCause
	}
	if left[0].Export.Filter.Kind == model.FilterWholeID {
		return ruleClient, "gives rows of other clients than the one asked for"
	}
	return rulePrefix, "gives rows for a filter text that is no client's ID"
}

// shareRows reports whether most of some exports got the rows of an export of another range, as where
// files are kept and given again.
func (j *judgement) shareRows(all []*model.Contradiction) bool {
	alone := slices.DeleteFunc(slices.Clone(all), func(c *model.Contradiction) bool {
		outside := slices.IndexFunc(c.Extra, func(row int) bool { return j.Excludes(c.Export, row) })
		return outside >= 0 && slices.ContainsFunc(j.Exports, func(o *model.SeenExport) bool {
			return !j.Excludes(o, c.Extra[outside]) && slices.Equal(o.Rows, c.Export.Rows)
		})
	})
	return 2*len(alone) <= len(all)
}

// addsOtherClients reports whether all that is wrong about an export is rows of other clients than
// its filter text names.
func (j *judgement) addsOtherClients(c *model.Contradiction) bool {
	text := c.Export.Filter.Text
	ofText := func(row int) bool { return slices.Contains([]string{"", text}, j.Rows[row].Client) }
	return text != "" && len(c.Extra) > 0 && len(c.Missing) == 0 && !c.LosesNothing &&
		!slices.ContainsFunc(c.Extra, ofText)
}

// isForeignRow reports whether right plain exports of another user hold a row, and none of the user
// whom the export is for.
func (j *judgement) isForeignRow(row int, e *model.SeenExport) bool {
	holds := func(stranger bool) bool {
		return slices.ContainsFunc(j.Exports, func(o *model.SeenExport) bool {
			return o.Plain && o != e && (o.User == model.OwnerStranger) == stranger && o.HoldsRow(row) &&
				!isAmong(j.found.Wrong, o)
		})
	}
	stranger := e.User == model.OwnerStranger
	return holds(!stranger) && !holds(stranger)
}

// showsBroken reports whether the exports show that a hypothesis breaks a rule. A deviation on
// filter texts that name no client breaks the rule on clients only where another client's rows
// are given, and one on any filter texts breaks isolation only where another user's are.
func (j *judgement) showsBroken(one model.ConditionalHypothesis, rule string) bool {
	shown := func(c *model.Contradiction) bool {
		switch {
		case one.Rule.ID == rulePrefix && rule == ruleClient:
			return c.Export.Filter.Kind == model.FilterWholeID
		case one.Rule.ID == ruleClient && rule == ruleIsolation:
			return slices.ContainsFunc(c.Extra, func(row int) bool { return j.isForeignRow(row, c.Export) })
		}
		return true
	}
	return slices.Contains(one.BrokenRules(), rule) && slices.ContainsFunc(j.found.Wrong, shown)
}

// failForHypothesis fails the case with the deviation that a hypothesis describes.
func (s *Suite) failForHypothesis(
	ctx spec.Context, j *judgement, one model.ConditionalHypothesis, r *spec.Rule,
) {
	c := j.shownBy(one, func(c *model.Contradiction) bool {
		return r.ID != ruleAsc && r.ID != ruleDesc || (r.ID == ruleAsc) == (c.Export.Order == "asc")
	})
	s.failForContradiction(ctx, j, c, one.Name, one.Condition, r.Statement)
}

// shownBy returns the contradiction to the document that shows a hypothesis: one that it explains
// by itself, else one that it explains in part, and of these one that suits.
func (j *judgement) shownBy(
	one model.ConditionalHypothesis, suits func(*model.Contradiction) bool,
) *model.Contradiction {
	// the owners that the reading implies may explain all rows
	shown := slices.Concat(j.ContradictionsDueTo(one, j.found.Reading()), j.found.Wrong)
	left := j.ContradictionsOf(model.Reading{one})
	applies := func(c *model.Contradiction) bool { return one.AppliesTo(c.Export) }
	explained := func(c *model.Contradiction) bool {
		return applies(c) && !c.InPart && !isAmong(left, c.Export)
	}
	for _, shows := range []func(*model.Contradiction) bool{
		func(c *model.Contradiction) bool { return suits(c) && explained(c) },
		func(c *model.Contradiction) bool { return suits(c) && applies(c) },
		explained, applies,
	} {
		if i := slices.IndexFunc(shown, shows); i >= 0 {
			return shown[i]
		}
	}
	return shown[0]
}

func (s *Suite) failForContradiction(
	ctx spec.Context, j *judgement, c *model.Contradiction, cause string, only []record.FactorValue,
	should string,
) {
	j.restOn(ctx, c.Export)
	s.plain.window.TryGet(ctx)
	s.inconclusiveIfFilesAreShared(ctx)
	of := func(rows []int) (quotes []statement.Quote) {
		for _, at := range rows {
			quotes = append(quotes, j.quoteOf(c.Export, at))
		}
		return quotes
	}
	source := j.exportCopiedBy(c.Export, cause == unexplainedCause && len(c.Extra) > 0)
	if source != nil && cause == unexplainedCause {
		cause = "gives an export the file of another"
	}
	by := c.Export.SortDate()
	found := matchers.ExportRows{
		Export: "the export of " + j.completed[c.Export].query.label, Expectation: should,
		RowCount: len(c.Export.Rows), Missing: of(c.Missing),
		Extra: of(c.Extra), SortKey: by.Column(),
		Cause: strings.Replace(cause, " N ", fmt.Sprintf(" %d ", len(c.Export.Rows)), 1), Condition: only,
		MayBeRefused:  mayBeRefused(c.Export.Query),
		InPart:        c.InPart,
		Contradictory: slices.Contains([]string{unexplainedCause, sharedRowsCause, lostRowsCause}, cause),
		Evidence: spec.Evidence{
			Repeat:  append(source, j.completed[c.Export].repeatRequests()...),
			Control: j.correctTwin(c.Export),
		},
	}
	if found.Contradictory {
		j.addContradictionSign(c, &found.Evidence)
	}
	if found.AreExpected() {
		found.OrderViolation = "other rows than asked for"
		if c.Disorder {
			found.Inverted = j.firstInversion(c.Export, by)
			verb := "fall"
			if c.Export.Order == "asc" {
				verb = "rise"
			}
			found.OrderViolation = fmt.Sprintf("the rows do not %s by %s", verb, by)
		}
	}
	ctx.Expect(found).To(matchers.HoldExpectedRows())
}

// quoteOf returns a row as the file of an export shows it, or else as another file does.
func (j *judgement) quoteOf(e *model.SeenExport, row int) statement.Quote {
	id := j.Rows[row].ID
	own := j.completed[e].rows
	at := slices.IndexFunc(own, func(q statement.Quote) bool { return q.Identity == id })
	if at < 0 {
		return j.quotes[id]
	}
	return own[at]
}

// addContradictionSign tells a script how to see the contradiction: by a row's own values that
// the export should exclude, or by comparison with an export that contradicts it.
func (j *judgement) addContradictionSign(c *model.Contradiction, e *spec.Evidence) {
	for _, row := range slices.Concat(c.Extra, c.Missing) {
		holder, other := c.Export, j.Counterpart(c.Export, row)
		if other != nil && other.HoldsRow(row) {
			holder = other
		}
		quote := j.quoteOf(holder, row)
		switch {
		case quote.IdentityIsJoined:
		case j.Excludes(c.Export, row):
			e.Sign = reproscript.ExpectRows{Without: [][]string{quote.Marks()}}
			return
		case other != nil:
			e.Repeat = append(j.completed[other].repeatRequests(), e.Repeat...)
			e.Sign = reproscript.ExpectSameRows{Rows: [][]string{quote.Marks()}}
			return
		}
	}
}
