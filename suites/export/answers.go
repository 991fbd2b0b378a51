package export

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// answers: what an accepted export answers. It is judged on every export that this suite saw accepted as soon as they
// are there, and once everything else has ended on every export of the run, replays, races and files too: the more
// answers, the rarer a fault may be that still shows.
func (s *Suite) answers() {
	Describe("answer", func() {
		s.Rule("export.response.json", Must, ExportOperation, "The answer of an accepted export is one JSON object.", func() {
			s.each("one JSON object", func(a target.Answer) (found string, judged bool) {
				if _, ok := members(a); !ok {
					return textOf(a), true
				}
				return "", true
			})
		})

		s.Rule("export.response.file_id", Must, FileTable, "file_id is present, a string, and not empty.", func() {
			s.eachField("file_id", "a string that is not empty", func(v any) bool {
				id, ok := v.(string)
				return ok && id != ""
			})
		})

		s.Rule("export.response.file_state", Must, FileTable, "file_state is present and an object.", func() {
			s.eachField("file_state", "an object", func(v any) bool { _, ok := v.(map[string]any); return ok })
		})

		s.Rule("export.response.created_at", Must, FileTable, "created_at is present and a date-time.", func() {
			s.eachField("created_at", "a date-time, such as 2025-01-31T12:30:00.000Z", func(v any) bool {
				_, zoned := dateTime(v)
				return zoned || zoneless(v)
			})
		})

		s.Rule("export.response.created_at.zone", Should, FileTable, "created_at carries its zone.", func() {
			s.eachField("created_at", "a date-time with its zone", func(v any) bool { return !zoneless(v) })
		})

		// The clock is the Date header. Half an hour is less than any mistaken zone.
		s.Rule("export.response.created_at.now", Should, FileTable,
			"created_at is the moment of the export, within half an hour of the deployment's clock.", func() {
				s.each("the moment of the answer as created_at", func(a target.Answer) (found string, judged bool) {
					object, ok := members(a)
					at, zoned := dateTime(object["created_at"])
					if now := target.Clock(a.Exchange); zoned && at.Sub(now).Abs() > target.Tolerance {
						found = fmt.Sprintf("created_at %s at %s", at.Format(time.RFC3339), now.UTC().Format(time.RFC3339))
					}
					return found, ok
				})
			})

		s.Rule("export.response.distinct_ids", Should, FileTable, "Two exports have two file IDs.", func() {
			s.onExamples(func(ctx context.Context, examples []example) {
				first, repeated, problem := map[string]string{}, 0, ""
				ids := 0
				for _, e := range examples {
					id, ok := target.FileID(e.answer.Exchange)
					if !ok {
						continue
					}
					ids++
					if other, again := first[id]; again {
						repeated++
						problem = fmt.Sprintf("the exports %q and %q both got %s", other, e.what, s.shown(id))
						continue
					}
					first[id] = e.what
				}
				if ids < 2 {
					spec.Inconclusive("fewer than two accepted exports answered with a file ID")
				}
				spec.Attempts(ids, repeated)
				Expect(problem).To(beNothing("two exports got one file ID", fmt.Sprintf("%d file IDs for %d exports", ids, ids)))
			})
		})
	})
}

// example is an answered export and what was special about it.
type example struct {
	what   string
	answer target.Answer
}

// onExamples declares the specs of a rule about accepted exports: those of this suite, and those of the whole run.
func (s *Suite) onExamples(judge func(ctx context.Context, examples []example)) {
	GinkgoHelper()
	s.Uses(s.c.Export, s.run)
	It("every accepted export", func(ctx SpecContext) { judge(ctx, s.seenAccepted(ctx)) })
	It("every accepted export of the run", Serial, func(ctx SpecContext) { judge(ctx, s.run.Await(ctx)) })
}

// seenAccepted waits for the control and for all valid exports that this run sends, and returns those that were
// accepted.
func (s *Suite) seenAccepted(ctx context.Context) []example {
	list := []example{{"a valid export", s.c.Export.Await(ctx).Answer}}
	for _, a := range s.accepted {
		if !a.Launched() && a.Observation != s.formatAlone.Observation {
			continue
		}
		if got, ok := a.Settled(ctx); ok && got.Success() {
			list = append(list, example{a.what, got})
		}
	}
	return list
}

// everyExample lists every export that the run saw accepted.
func (s *Suite) everyExample(ctx context.Context) ([]example, error) {
	if _, err := s.c.Export.Get(ctx); err != nil {
		return nil, err
	}
	var all []example
	for _, x := range s.t.Accepted(client.Export) {
		all = append(all, example{fmt.Sprintf("exchange %d, %s", x.Seq, x.Label), target.Answer{Exchange: x}})
	}
	return all, nil
}

// each declares specs that judge every accepted answer by itself. judge returns what is wrong with one, and whether
// it says anything about the rule: answers that are not objects have a rule of their own.
func (s *Suite) each(expected string, judge func(a target.Answer) (found string, judged bool)) {
	GinkgoHelper()
	s.onExamples(func(_ context.Context, examples []example) {
		first, judged, wrong := "", 0, 0
		for _, e := range examples {
			found, ok := judge(e.answer)
			if ok {
				judged++
			}
			if found == "" {
				continue
			}
			if wrong++; wrong == 1 {
				first = fmt.Sprintf("%s (%s)", s.shown(found), e.what)
			}
		}
		if judged == 0 {
			spec.Inconclusive("no answer is a JSON object; see export.response.json")
		}
		spec.Attempts(judged, wrong)
		Expect(first).To(beNothing("the answer does not hold "+expected, expected))
	})
}

// eachField declares specs that judge one field of every accepted answer.
func (s *Suite) eachField(name, expected string, right func(value any) bool) {
	GinkgoHelper()
	s.each(name+", "+expected, func(a target.Answer) (found string, judged bool) {
		object, ok := members(a)
		value, there := object[name]
		switch {
		case !ok || right(value):
			return "", ok
		case !there:
			return "no " + name, true
		}
		text, _ := json.Marshal(value) // it was read from JSON
		return fmt.Sprintf("%s %s, %s", name, text, kind(value)), true
	})
}
