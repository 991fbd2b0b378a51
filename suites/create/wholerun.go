package create

import (
	"context"
	"fmt"
	"net/http"
	"reflect"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// wholeRun judges, at the end, every record that the run made, whatever it was made for: what the server itself puts
// into a record does not depend on the request, nor does what comes back of the ordinary values in it. The more answers, the rarer a fault may be that still shows.
func (s *suite) wholeRun() {
	run := plan.ObserveEnd(s.p, "every record that the run made", func(ctx context.Context) ([]answered, error) {
		if _, err := s.c.Creation.Get(ctx); err != nil {
			return nil, err
		}
		var all []answered
		known := map[string]int{}
		for _, x := range s.t.Accepted(client.Create) {
			id, ok := matchers.RecordID(x)
			a := answered{what: x.Label, x: x}
			a.record, a.fault = representative.Parse(x.Body)
			a.sent, _ = s.t.Ordinary(x)
			if !ok || !a.holdsRecord() {
				continue
			}
			at, again := known[id]
			switch {
			case !again:
				known[id] = len(all)
				all = append(all, a)
			default:
				if !reflect.DeepEqual(all[at].sent, a.sent) {
					a.sent, all[at].sent = representative.Draft{}, representative.Draft{} // whose record it is, is for others to say
				}
				if all[at].x.Status != http.StatusCreated && x.Status == http.StatusCreated {
					all[at] = a // a repeat may overtake the creation that it repeats
				}
			}
		}
		if len(all) == 0 {
			return nil, plan.Unmet("", "no answer shows a record with a usable id, see create.response.id")
		}
		return all, nil
	})
	each := func(rule, name, headline, expected string, judge func(answered) string) {
		s.p.It(rule, name, plan.After(run), func(ctx context.Context) {
			s.throughout(run.Await(ctx), headline, expected, func(a answered) (string, bool) { return judge(a), true })
		})
	}

	// Every new record comes with 201.
	each("create.success.status", "every record of the run came with 201", "a creation that succeeded got another status", "201 Created",
		func(a answered) string {
			if a.x.Status == http.StatusCreated {
				return ""
			}
			return target.Describe(a.x)
		})
	// Document and address are there each time.
	for _, name := range []string{"document", "address"} {
		each("create.success."+name, "an object in every record of the run", "the record does not carry the "+name+" as an object", "an object",
			func(a answered) string {
				if found := a.record.Type(name); found != "object" {
					return fmt.Sprintf("%s: %s", name, found)
				}
				return ""
			})
	}
	// So is what the server itself adds.
	for _, path := range madeByServer {
		expected := matchers.Expected(kindOf(path))
		each("create.response."+path, path+" in every record of the run", path+" is not as documented", expected, func(a answered) string {
			if inside := parent(path); inside != "" && a.record.Type(inside) != "object" {
				return ""
			}
			if value, _ := a.record.Get(path); value == nil || value == "" || !matchers.Fits(kindOf(path), value) {
				return path + " is " + matchers.Shown(path, value)
			}
			return ""
		})
	}
	// What was sent and is ordinary comes back each time.
	for _, path := range rules.EchoFields() {
		s.p.It("create.echo."+path, "ordinary values come back in every record of the run", plan.After(run), func(ctx context.Context) {
			s.throughout(run.Await(ctx), path+" did not come back as it was sent", "what the request sent", func(a answered) (string, bool) {
				sent := sentAt(a.sent, path)
				got, _ := a.record.Get(path)
				if sent == nil || got == nil {
					return "", false
				}
				e := matchers.Echo{Path: path, Kind: kindOf(path), Sent: sent, Got: got}
				if e.Likeness() == matchers.Unlike {
					return "sent " + matchers.Shown(path, sent) + ", got " + matchers.Shown(path, got), true
				}
				return "", e.Likeness() == matchers.Alike
			})
		})
	}
	// And a natural person.
	each("create.person_type", "NATURAL_PERSON in every record of the run", "a representative is not called a natural person", "NATURAL_PERSON",
		func(a answered) string {
			if value, _ := a.record.Get("person_type"); value != "NATURAL_PERSON" {
				return "person_type is " + matchers.Shown("person_type", value)
			}
			return ""
		})
}
