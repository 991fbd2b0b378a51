package export

import (
	"context"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// answers: what an accepted export answers. It is judged on every export that this suite saw accepted as soon as they are
// there, and once everything else has ended on every export of the run, replays, races and files too: the more answers,
// the rarer a fault may be that still shows.
func (s *Suite) answers() {
	Describe("answer", func() {
		s.Rule("export.response.json", Must, ExportOperation, "The answer of an accepted export is one JSON object.", func() {
			s.each(isObject)
		})

		s.Rule("export.response.file_id", Must, FileTable, "file_id is present, a string, and not empty.", func() {
			s.each(onObjects(hasFileID))
		})

		s.Rule("export.response.file_state", Must, FileTable, "file_state is present and an object.", func() {
			s.each(onObjects(hasFileState))
		})

		s.Rule("export.response.created_at", Must, FileTable, "created_at is present and a date-time.", func() {
			s.each(onObjects(hasCreatedAt))
		})

		s.Rule("export.response.created_at.zone", Should, FileTable, "created_at carries its zone.", func() {
			s.each(onObjects(hasZone))
		})

		s.Rule("export.response.created_at.now", Should, FileTable,
			"created_at is the moment of the export, within half an hour of the deployment's clock.", func() {
				s.each(onObjects(createdNow))
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
	s.Uses(s.c.Export, s.run)
	It("every accepted export", Offset(1), func(ctx SpecContext) { judge(ctx, s.seenAccepted(ctx)) })
	It("every accepted export of the run", Offset(1), Serial, func(ctx SpecContext) { judge(ctx, s.run.Await(ctx)) })
}

// seenAccepted waits for the control and for all valid exports that this run sends, and returns those that were accepted.
func (s *Suite) seenAccepted(ctx context.Context) []example {
	list := []example{{"a valid export", s.c.Export.Await(ctx).Answer}}
	for _, a := range s.accepted {
		if !a.Launched() {
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

// problem says what is wrong with an answer. relevant is false where the answer says nothing about the rule.
type problem func(a target.Answer) (c complaint, relevant bool)

// onObjects leaves out answers that are not objects: that they all are is a rule of its own.
func onObjects(p func(a target.Answer) complaint) problem {
	return func(a target.Answer) (complaint, bool) {
		if _, ok := members(a); !ok {
			return complaint{}, false
		}
		return p(a), true
	}
}

// each declares specs that judge every accepted answer by itself.
func (s *Suite) each(p problem) {
	s.onExamples(func(_ context.Context, examples []example) {
		var worst complaint
		judged, wrong := 0, 0
		for _, e := range examples {
			c, relevant := p(e.answer)
			if !relevant {
				continue
			}
			judged++
			if c.found == "" {
				continue
			}
			if wrong++; wrong == 1 {
				worst = c
				worst.found = s.shown(c.found) + fmt.Sprintf(" (%s)", e.what)
			}
		}
		if judged == 0 {
			spec.Inconclusive("no answer is a JSON object; see export.response.json")
		}
		spec.Attempts(judged, wrong)
		Expect(worst.found).To(beNothing(worst.headline, worst.expected))
	})
}

func isObject(a target.Answer) (complaint, bool) {
	c := complaint{headline: "the answer is not a JSON object", expected: "one JSON object"}
	if _, ok := members(a); !ok {
		c.found = textOf(a)
	}
	return c, true
}

func hasFileID(a target.Answer) complaint {
	c := complaint{headline: "the answer names no file", expected: "file_id, a string that is not empty"}
	value, absent := member(a, "file_id")
	if id, ok := value.(string); absent != "" || !ok || id == "" {
		c.found = describe("file_id", value, absent)
	}
	return c
}

func hasFileState(a target.Answer) complaint {
	c := complaint{headline: "the answer carries no state of the file", expected: "file_state, an object"}
	value, absent := member(a, "file_state")
	if _, ok := value.(map[string]any); !ok {
		c.found = describe("file_state", value, absent)
	}
	return c
}

func hasCreatedAt(a target.Answer) complaint {
	c := complaint{headline: "created_at is not a date-time", expected: "created_at, such as 2025-01-31T12:30:00.000Z"}
	value, absent := member(a, "created_at")
	if _, zoned := dateTime(value); !zoned && !zoneless(value) {
		c.found = describe("created_at", value, absent)
	}
	return c
}

func hasZone(a target.Answer) complaint {
	c := complaint{headline: "created_at has no zone", expected: "created_at, such as 2025-01-31T12:30:00.000Z"}
	if value, _ := member(a, "created_at"); zoneless(value) {
		c.found = describe("created_at", value, "")
	}
	return c
}

// createdNow compares created_at with the deployment's own clock, as its Date header shows it, and tolerates half an hour:
// less than any mistaken zone. What is not a date-time with its zone breaks another rule.
func createdNow(a target.Answer) complaint {
	value, _ := member(a, "created_at")
	at, ok := dateTime(value)
	now := target.Clock(a.Exchange)
	if !ok || at.Sub(now).Abs() <= target.Tolerance {
		return complaint{}
	}
	return complaint{
		"created_at is not the moment of the export",
		"within half an hour of " + now.UTC().Format(time.RFC3339), describe("created_at", value, ""),
	}
}
