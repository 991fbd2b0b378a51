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
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// declareAnswerRules: what an accepted export answers. It is judged once everything else has ended
// on every export of the run, replays, races and files too: the more answers, the rarer a fault may
// be that still shows.
func (s *Suite) declareAnswerRules() {
	s.Describe("answer", func() {
		s.ruleForEveryAnswer("export.response.json", Must, SectionExport,
			"The answer of an accepted export is one JSON object.", "one JSON object",
			reproscript.ExpectJSONObject{},
			func(a target.Answer) (found string, judged bool) {
				if _, ok := answerMembers(a.Exchange); !ok {
					return answers.JSONShape(a.Exchange), true
				}
				return "", true
			},
		)
		s.ruleForEveryAnswer("export.response.envelope", Should, SectionExport,
			"The body of the answer is the file's description itself, not wrapped in another object.",
			"file_id, file_state and created_at at the top of the body",
			reproscript.ExpectEnvelope{Paths: []string{"file_id", "file_state"}},
			func(a target.Answer) (found string, judged bool) {
				_, envelope, ok := answers.UnwrapExportAnswer(a.Exchange)
				if envelope != "" {
					found = "file_id, file_state and created_at are in the member " + envelope
				}
				return found, ok
			})
		s.ruleForField("export.response.file_id", Must, SectionExportFile,
			"file_id is present, a string, and not empty.",
			"file_id", "a string that is not empty", `".+"`,
			func(v any) bool { return schema.KindText.Fits(v) && v != "" })
		s.ruleForField("export.response.file_state", Must, SectionExportFile,
			"file_state is present and an object.",
			"file_state", "an object", "object", func(v any) bool { _, ok := v.(map[string]any); return ok })
		s.ruleForField("export.response.created_at", Must, SectionExportFile,
			"created_at is present and a date-time.", "created_at",
			"a date-time, such as "+
				"2025-01-31T12:30:00.000Z", schema.KindDateTime.Pattern(), schema.KindDateTime.Fits)
		s.ruleForField("export.response.created_at.zone", Should, SectionExportFile,
			"created_at names its zone.",
			"created_at", "a date-time with its zone", schema.ZonedDateTimePattern, func(v any) bool {
				_, zoned := schema.ParseDateTime(v)
				return zoned || !schema.KindDateTime.Fits(v)
			})
		s.ruleForEveryAnswer("export.response.created_at.now", Should, SectionExportFile,
			"created_at is the moment of the export, within five minutes of the deployment's clock.",
			"the moment of the answer", reproscript.ExpectCurrentTime{Path: "created_at"},
			func(a target.Answer) (found string, judged bool) {
				object, ok := answerMembers(a.Exchange)
				at, zoned := schema.ParseDateTime(object["created_at"])
				right, judged := answers.IsCurrentTime(a.Exchange, at)
				if zoned && judged && !right {
					now := answers.ServerTime(a.Exchange).UTC()
					found = fmt.Sprintf("created_at is %s at %s", at.Format(time.RFC3339),
						now.Format(time.RFC3339))
				}
				return found, ok && (judged || !zoned)
			})
		s.Rule("export.response.distinct_ids", Should, SectionExportFile,
			"Two exports have two file IDs.", func() {
				s.itHoldsForEveryExport(func(ctx spec.Context) {
					first, ids := map[string]exportExample{}, RuleTally{}
					for _, e := range s.run.Await(ctx) {
						id, ok := answers.FileID(e.answer.Exchange)
						if !ok {
							continue
						}
						var flaw Flaw
						if other, known := first[id]; known {
							flaw.Found = "that of " + other.what
							flaw.Evidence = spec.Evidence{
								Repeat: spec.RepeatInOrder(s.pairWithOneID(other.answer.Exchange, e.answer.Exchange)...),
								Sign:   reproscript.ExpectDifferent{Path: "file_id"},
							}
						} else {
							first[id] = e
						}
						ids.AddAnswer(e.answer.Exchange, flaw)
					}
					if ids.Judged < 2 {
						ctx.Inconclusivef("fewer than two accepted exports answered with a file ID")
					}
					ctx.Expect(ids).To(HoldForEveryAnswer("file ID of an export", "one of its own"))
				})
			})
	})
}

// pairWithOneID are two plain exports that got one ID, where that is so, else two others that did.
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

// itHoldsForEveryExport declares the case of a rule about every accepted export of the run, which
// are two at least.
func (s *Suite) itHoldsForEveryExport(judge func(ctx spec.Context)) {
	spec.Helper()
	s.UseObservations(s.lab.ControlExport, s.emptyObject, s.run)
	s.It("every accepted export of the run", judge)
}

// acceptedExports lists every export that the run saw accepted.
func (s *Suite) acceptedExports(ctx context.Context) ([]exportExample, error) {
	if _, err := s.lab.ControlExport.Get(ctx); err != nil {
		return nil, err
	}
	var all []exportExample
	for _, x := range s.lab.AcceptedValid(lab.OperationExport) {
		all = append(all,
			exportExample{fmt.Sprintf("exchange %d, %s", x.Seq, x.Label), target.Answer{Exchange: x}})
	}
	return all, nil
}

// ruleForEveryAnswer declares a rule about every accepted answer by itself. judge returns what is
// wrong with one, and whether it says anything about the rule: answers that are not objects have a
// rule of their own.
func (s *Suite) ruleForEveryAnswer(
	id string, level Level, section Section, statement, expected string,
	expectation reproscript.Expectation, judge func(a target.Answer) (found string, judged bool),
) {
	spec.Helper()
	s.Rule(id, level, section, statement, func() {
		s.itHoldsForEveryExport(func(ctx spec.Context) {
			var tally RuleTally
			for _, e := range s.run.Await(ctx) {
				if found, ok := judge(e.answer); ok {
					tally.AddAnswer(e.answer.Exchange,
						Flaw{Found: s.redactAndQuote(found), Evidence: spec.Evidence{Sign: expectation}})
				}
			}
			if tally.Judged == 0 {
				ctx.Inconclusivef("no answer is a JSON object; see export.response.json")
			}
			ctx.Expect(tally).To(HoldForEveryAnswer("answer to an accepted export", expected))
		})
	})
}

// ruleForField declares a rule about one field of every accepted answer.
func (s *Suite) ruleForField(
	id string, level Level, section Section, statement, name, expected, pattern string,
	right func(any) bool,
) {
	spec.Helper()
	expectation := reproscript.ExpectValue{Path: name, Right: pattern}
	s.ruleForEveryAnswer(id, level, section, statement, expected, expectation,
		func(a target.Answer) (string, bool) {
			object, ok := answerMembers(a.Exchange)
			value, there := object[name]
			switch {
			case !ok || right(value):
				return "", ok
			case !there:
				return "no " + name, true
			}
			return name + " is " + schema.MaskPersonal(name, value), true
		})
}

// redactAndQuote is text out of an answer as it may be shown.
func (s *Suite) redactAndQuote(text string) string {
	if r := []rune(text); len(r) > 160 {
		text = string(r[:160]) + "…"
	}
	return s.t.Client.Redactor().Text(text)
}

// answerMembers reads an answer's object; ok is false when it is something else.
func answerMembers(x *client.Exchange) (object map[string]any, ok bool) {
	object, _, ok = answers.UnwrapExportAnswer(x)
	return object, ok
}
