package export

import (
	"context"
	"fmt"
	"time"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/internal/schema"
	"github.com/gateassay/gateassay/suites/internal/answers"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
)

// declareAnswerRules declares the rules on the answer to an accepted export. They are judged
// last, on every export of the run, including replays, races and files: the more answers, the
// rarer the faults that they show.
func (s *Suite) declareAnswerRules() {
	s.Describe("answer", func() {
		s.ruleForEveryAnswer("export.response.json", Must, SectionExport,
			"The answer of an accepted export is one JSON object.", "one JSON object",
			func(a exportAnswer) (Flaw, bool) {
				return FlawUnless(a.object != nil, answers.JSONShape(a.Exchange),
					reproscript.ExpectJSONObject{}), true
			})
		s.ruleForEveryAnswer("export.response.envelope", Should, SectionExport,
			"The body of the answer is the file's description itself, not wrapped in another object.",
			"file_id, file_state and created_at at the top of the body",
			func(a exportAnswer) (Flaw, bool) {
				return FlawUnless(a.envelope == "",
					"file_id, file_state and created_at are in the member "+a.envelope,
					reproscript.ExpectEnvelope{Paths: []string{"file_id", "file_state"}}), a.object != nil
			})
		for _, f := range []struct {
			name      string
			kind      schema.FieldKind
			statement string
		}{
			{"file_id", schema.KindIdentifier, "file_id is present, a string, and not empty."},
			{"file_state", schema.KindObject, "file_state is present and an object."},
			{"created_at", schema.KindDateTime, "created_at is present and a date-time."},
		} {
			s.ruleForEveryAnswer("export.response."+f.name, Must, SectionExportFile, f.statement,
				f.kind.Description(), func(a exportAnswer) (Flaw, bool) {
					right := f.kind.Fits(a.object[f.name])
					return a.fieldFlaw(f.name, right, f.kind.Pattern()), a.object != nil
				})
		}
		s.ruleForEveryAnswer("export.response.created_at.zone", Should, SectionExportFile,
			"created_at names its zone.", "a date-time with its zone",
			func(a exportAnswer) (Flaw, bool) {
				_, zoned := schema.ParseDateTime(a.object["created_at"])
				right := zoned || !schema.KindDateTime.Fits(a.object["created_at"])
				return a.fieldFlaw("created_at", right, schema.ZonedDateTimePattern), a.object != nil
			})
		s.ruleForEveryAnswer("export.response.created_at.now", Should, SectionExportFile,
			"created_at is the moment of the export, within five minutes of the deployment's clock.",
			"the moment of the answer", func(a exportAnswer) (Flaw, bool) {
				at, zoned := schema.ParseDateTime(a.object["created_at"])
				right, judged := answers.IsCurrentTime(a.Exchange, at)
				now := answers.ServerTime(a.Exchange).UTC()
				return FlawUnless(right || !zoned || !judged,
					fmt.Sprintf("created_at is %s at %s", at.Format(time.RFC3339), now.Format(time.RFC3339)),
					reproscript.ExpectCurrentTime{Path: "created_at"}), a.object != nil && (judged || !zoned)
			})
		s.declareDistinctIDs()
	})
}

// declareDistinctIDs declares the rule that no two exports of the run share a file ID.
func (s *Suite) declareDistinctIDs() {
	s.Rule("export.response.distinct_ids", Should, SectionExportFile,
		"Two exports have different file IDs.", func() {
			s.itHoldsForEveryExport(func(ctx spec.Context) {
				last, ids := map[string]*client.Exchange{}, RuleTally{}
				for _, x := range s.run.Await(ctx) {
					id, ok := answers.FileID(x)
					if !ok {
						continue
					}
					flaw := Flaw{}
					if other := last[id]; other != nil {
						flaw.Found = fmt.Sprintf("that of exchange %d, %s", other.Seq, other.Label)
						flaw.Evidence.Sign = reproscript.ExpectDifferent{Path: "file_id"}
						flaw = flaw.ShownBy(s.pairWithOneID(other, x)...)
					}
					last[id] = x
					ids.AddAnswer(x, flaw)
				}
				if ids.Judged < 2 {
					ctx.Inconclusivef("fewer than two accepted exports answered with a file ID")
				}
				ctx.Expect(ids).To(HoldForEveryAnswer("file ID of an export", "one of its own"))
			})
		})
}

// pairWithOneID returns the two plain exports if they got one ID, else the given two, which did.
func (s *Suite) pairWithOneID(first, second *client.Exchange) []*client.Exchange {
	ctx := context.Background() // both have ended
	control, ok := s.lab.ControlExport.TryGet(ctx)
	empty, too := s.emptyObject.TryGet(ctx)
	if ok && too {
		a, _ := answers.FileID(control.Exchange)
		if b, _ := answers.FileID(empty.Exchange); a == b {
			return []*client.Exchange{control.Exchange, empty.Exchange}
		}
	}
	return []*client.Exchange{first, second}
}

// itHoldsForEveryExport declares the case of a rule on all accepted exports of the run, which
// are at least two.
func (s *Suite) itHoldsForEveryExport(judge func(ctx spec.Context)) {
	spec.Helper()
	s.UseObservations(s.lab.ControlExport, s.emptyObject, s.run)
	s.It("every accepted export of the run", judge)
}

// exportAnswer is the answer to an accepted export.
type exportAnswer struct {
	*client.Exchange
	object   map[string]any // nil: the body is no object
	envelope string         // the member that holds the object; empty: it is the body itself
}

// fieldFlaw describes a wrong field, unless right. pattern matches a valid value.
func (a exportAnswer) fieldFlaw(name string, right bool, pattern string) Flaw {
	found := "no " + name
	if value, there := a.object[name]; there {
		found = name + " is " + schema.MaskPersonal(name, value)
	}
	return FlawUnless(right, found, reproscript.ExpectValue{Path: name, Right: pattern})
}

// ruleForEveryAnswer declares a rule that judges each accepted answer. judge returns what is
// wrong, and whether the answer shows anything about the rule: answers that are not objects have
// their own rule.
func (s *Suite) ruleForEveryAnswer(
	id string, level Level, section Section, statement, expected string,
	judge func(exportAnswer) (wrong Flaw, judged bool),
) {
	spec.Helper()
	s.Rule(id, level, section, statement, func() {
		s.itHoldsForEveryExport(func(ctx spec.Context) {
			var tally RuleTally
			for _, x := range s.run.Await(ctx) {
				a := exportAnswer{Exchange: x}
				a.object, a.envelope, _ = answers.UnwrapExportAnswer(a.Exchange)
				if wrong, judged := judge(a); judged {
					wrong.Found = s.redactAndQuote(wrong.Found)
					tally.AddAnswer(a.Exchange, wrong)
				}
			}
			if tally.Judged == 0 {
				ctx.Inconclusivef("no answer is a JSON object; see export.response.json")
			}
			ctx.Expect(tally).To(HoldForEveryAnswer("answer to an accepted export", expected))
		})
	})
}

// redactAndQuote returns a text from an answer as it may be shown: redacted, at most 160
// characters.
func (s *Suite) redactAndQuote(text string) string {
	if r := []rune(text); len(r) > 160 {
		text = string(r[:160]) + "…"
	}
	return s.t.Client.Redactor().Text(text)
}
