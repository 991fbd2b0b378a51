package export

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// answers: what an accepted export answers, judged on every export that this suite saw accepted.
func (s *suite) answers() {
	s.run = s.wholeRun()
	// The answer is one JSON object.
	s.each("export.response.json", false, isObject)
	// It names the file by an ID.
	s.each("export.response.file_id", true, hasFileID)
	// It carries the state of the file, as an object.
	s.each("export.response.file_state", true, hasFileState)
	// It tells when the file was created: a date-time, which is an instant only with its zone.
	s.each("export.response.created_at", true, hasCreatedAt)
	// The file is created by this very request.
	s.each("export.response.created_at.now", true, createdNow)
	// Each export makes a file of its own.
	s.distinct("all accepted exports", spec.After(s.c.Export), s.seenAccepted)
	s.distinct("all accepted exports of the run", spec.After(s.run), s.run.Await)
}

// distinct judges that no two of the answers name one file.
func (s *suite) distinct(name string, after []spec.Awaited, answers func(context.Context) []answered) {
	s.p.It("export.response.distinct_ids", name, after, func(ctx context.Context) {
		first := map[string]string{}
		repeated, problem := 0, ""
		ids := 0
		for _, a := range answers(ctx) {
			id, ok := target.FileID(a.answer.Exchange)
			if !ok {
				continue
			}
			ids++
			if other, again := first[id]; again {
				repeated++
				problem = fmt.Sprintf("the exports %q and %q both got %s", other, a.what, s.shown(id))
				continue
			}
			first[id] = a.what
		}
		if ids < 2 {
			s.p.Inconclusive("fewer than two accepted exports answered with a file ID")
		}
		s.p.Attempts(ids, repeated)
		Expect(problem).To(beNothing("two exports got one file ID", fmt.Sprintf("%d file IDs for %d exports", ids, ids)))
	})
}

// answered is an accepted export and what was special about it.
type answered struct {
	what   string
	answer target.Answer
}

// seenAccepted waits for the control and for all valid exports that this run sends, and gives those that were accepted.
func (s *suite) seenAccepted(ctx context.Context) []answered {
	list := []answered{{"a valid export", s.c.Export.Await(ctx).Answer}}
	for _, n := range s.accepted {
		if !n.seen.Launched() {
			continue
		}
		if a, ok := n.seen.Settled(ctx); ok && a.Success() {
			list = append(list, answered{n.what, a})
		}
	}
	return list
}

// wholeRun waits for everything else and gives every export that the run saw accepted: replays, races and files too. The
// more answers, the rarer a fault may be that still shows.
func (s *suite) wholeRun() *spec.Observation[[]answered] {
	return spec.ObserveEnd(s.p, "every export that the run saw accepted", func(ctx context.Context) ([]answered, error) {
		if _, err := s.c.Export.Get(ctx); err != nil {
			return nil, err
		}
		var all []answered
		for _, x := range s.t.Accepted(client.Export) {
			all = append(all, answered{fmt.Sprintf("exchange %d, %s", x.Seq, x.Label), target.Answer{Exchange: x}})
		}
		return all, nil
	})
}

// each declares checks of every accepted answer, or of those that are objects at all: that they all are is a rule of its
// own. problem says what is wrong with an answer, and nothing where it is right. The answers of this suite are judged as
// soon as they are there, those of the whole run at its end.
func (s *suite) each(rule string, objects bool, problem func(a target.Answer) complaint) {
	s.eachOf(rule, "every accepted export", spec.After(s.c.Export), s.seenAccepted, objects, problem)
	s.eachOf(rule, "every accepted export of the run", spec.After(s.run), s.run.Await, objects, problem)
}

func (s *suite) eachOf(rule, name string, after []spec.Awaited, answers func(context.Context) []answered, objects bool, problem func(a target.Answer) complaint) {
	s.p.It(rule, name, after, func(ctx context.Context) {
		var worst complaint
		all, wrong := answers(ctx), 0
		if objects {
			all = slices.DeleteFunc(slices.Clone(all), func(a answered) bool { return isObject(a.answer).found != "" })
			if len(all) == 0 {
				s.p.Inconclusive("no answer is a JSON object; see export.response.json")
			}
		}
		for _, a := range all {
			if c := problem(a.answer); c.found != "" {
				if wrong == 0 {
					worst = c
					worst.found = s.shown(c.found) + fmt.Sprintf(" (%s)", a.what)
				}
				wrong++
			}
		}
		s.p.Attempts(len(all), wrong)
		Expect(worst.found).To(beNothing(worst.headline, worst.expected))
	})
}

// shown is text out of an answer as it may be shown.
func (s *suite) shown(text string) string {
	if r := []rune(text); len(r) > 160 {
		text = string(r[:160]) + "…"
	}
	return s.t.Client.Redactor().Text(text)
}

// complaint is what is wrong with an answer; found is empty where nothing is.
type complaint struct{ headline, expected, found string }

// beNothing holds for an empty text; any other is what was found instead of what was expected.
func beNothing(headline, expected string) types.GomegaMatcher { return nothing{headline, expected} }

type nothing struct{ headline, expected string }

func (n nothing) Match(actual any) (bool, error) { return actual.(string) == "", nil }
func (n nothing) FailureMessage(actual any) string {
	return spec.Finding(n.headline, n.expected, actual.(string))
}

func (n nothing) NegatedFailureMessage(actual any) string {
	return spec.Finding("must not: "+n.headline, "anything but "+n.expected, actual.(string))
}

// members reads an answer's object; ok is false when it is none.
func members(a target.Answer) (map[string]any, bool) {
	d := json.NewDecoder(bytes.NewReader(a.Body))
	d.UseNumber()
	var object map[string]any
	if d.Decode(&object) != nil || object == nil || d.More() {
		return nil, false
	}
	return object, true
}

func isObject(a target.Answer) complaint {
	if _, ok := members(a); ok {
		return complaint{}
	}
	return complaint{"the answer is no JSON object", "one JSON object", orNothing(string(bytes.TrimSpace(a.Body)))}
}

func orNothing(body string) string {
	if body == "" {
		return "an empty body"
	}
	return body
}

// member finds a member of the answer, or says what is absent.
func member(a target.Answer, name string) (any, string) {
	object, ok := members(a)
	if !ok {
		return nil, "no JSON object"
	}
	value, ok := object[name]
	if !ok {
		return nil, "no " + name
	}
	return value, ""
}

func hasFileID(a target.Answer) complaint {
	c := complaint{"the answer names no file", "file_id, a string that is not empty", ""}
	value, absent := member(a, "file_id")
	if id, ok := value.(string); absent != "" || !ok || id == "" {
		c.found = describe("file_id", value, absent)
	}
	return c
}

func hasFileState(a target.Answer) complaint {
	c := complaint{"the answer carries no state of the file", "file_state, an object", ""}
	value, absent := member(a, "file_state")
	if _, ok := value.(map[string]any); !ok {
		c.found = describe("file_state", value, absent)
	}
	return c
}

func hasCreatedAt(a target.Answer) complaint {
	c := complaint{"created_at is no date-time with its zone", "created_at, such as 2025-01-31T12:30:00.000Z", ""}
	value, absent := member(a, "created_at")
	if _, ok := dateTime(value); !ok {
		c.found = describe("created_at", value, absent)
	}
	return c
}

// createdNow holds created_at against the deployment's own clock, as its Date header shows it, and tolerates half an
// hour: less than any mistaken zone. What is no date-time breaks another rule.
func createdNow(a target.Answer) complaint {
	value, _ := member(a, "created_at")
	at, ok := dateTime(value)
	if !ok {
		return complaint{}
	}
	now := target.Clock(a.Exchange)
	if away := at.Sub(now).Abs(); away > target.Tolerance {
		return complaint{
			"created_at is not the moment of the export",
			"within half an hour of " + now.UTC().Format(time.RFC3339), describe("created_at", value, ""),
		}
	}
	return complaint{}
}

func dateTime(value any) (time.Time, bool) {
	text, ok := value.(string)
	if !ok {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339, strings.ToUpper(text)) // t and z may be lower case
	return at, err == nil
}

func describe(name string, value any, absent string) string {
	if absent != "" {
		return absent
	}
	text, err := json.Marshal(value)
	if err != nil {
		return name + " of another type"
	}
	return fmt.Sprintf("%s %s, %s", name, text, kind(value))
}

// kind names the JSON type of a value.
func kind(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	}
	return "a number"
}
