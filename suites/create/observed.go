package create

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// sent is a request whose status is recorded.
type sent struct {
	name string
	seen answer
}

// noteStatuses records what each of several requests got.
func noteStatuses(ctx spec.Context, kinds []sent) {
	seen := make([]record.Value, len(kinds))
	for i, k := range kinds {
		seen[i] = record.Seen(k.name, status(k.seen.Await(ctx).Exchange))
	}
	ctx.Saw(seen...)
}

// status is what a request got, in one word.
func status(x *client.Exchange) string {
	if x == nil || x.Status == 0 {
		return "no answer"
	}
	return strconv.Itoa(x.Status)
}

// refusals are one refusal of each kind: requests that rules send, by what is wrong with them.
func (s *Suite) refusals() (all []sent) {
	add := func(name, edit string) {
		seen := s.defects[edit].seen
		s.Uses(seen)
		all = append(all, sent{name, seen})
	}
	add("missing field", "no email")
	add("null field", "email null")
	add("empty field", `email ""`)
	add("wrong type", "phone_number 11987654321")
	add("unknown shareholder", "a shareholder that does not exist")
	add("out of range", "participation_percentage 101")
	add("malformed CPF", "dots and a dash in the CPF")
	add("impossible date", "birth_date in month 13")
	add("unknown qualification", `qualification "PARTNERS"`)
	add("missing header", "no transaction_id")
	add("malformed header", "text before a UUID as transaction_id")
	add("not JSON", "plain words as body")
	if s.t.Deployment.Has(unprivilegedKey) {
		add("no permission", "a user without the permission")
	}
	return all
}

// observedRefusals: statuses, bodies and headers of refusals.
func (s *Suite) observedRefusals() {
	s.Describe("refusals", func() {
		s.notesRefusals("create.observed.rejection_status", Errors, "Status of each kind of rejection.",
			"notes the status of each kind", func(k sent, a target.Answer) []record.Value {
				return []record.Value{record.Seen(k.name, status(a.Exchange))}
			})
		s.notesRefusals("create.observed.error_body", Errors, "Shape and codes of error bodies.",
			"notes keys and codes", func(_ sent, a target.Answer) []record.Value {
				if !a.Refusal() {
					return nil
				}
				found := []record.Value{record.Seen("", Shape(a.Exchange))}
				for _, code := range codes(a.Body) {
					found = append(found, record.Seen("code", code))
				}
				return found
			})
		s.notesRefusals("create.observed.headers", Limits, "Headers about rate limits and authentication.",
			"notes their names", func(_ sent, a target.Answer) []record.Value {
				return record.Each(headersOf(a, aboutLimits, "no such header"))
			}, sent{"accepted", s.c.Creation})
	})

	s.Rule("create.observed.header_names", Observe, CreateOperation,
		"Names of the headers for transaction ID, nonce, language and the on-behalf-of user.", func() {
			s.It("notes the names that an accepted creation had", func(ctx spec.Context) {
				s.c.Creation.Await(ctx)
				h := s.t.Deployment.LegalRepresentative.Headers
				ctx.Note("in an accepted creation: transaction ID %s, nonce %s; "+
					"as configured: language %s, on behalf of %s", h.TransactionID, h.Nonce, h.Language, h.OnBehalfOf)
			})
		})

	s.Rule("create.observed.deprecation", Observe, Authentication,
		"Deprecation and Sunset headers of the deprecated method.", spec.Needs("credentials.api_key"), func() {
			seen := s.sound(s.apiKey())
			s.It("notes those of a creation with the API key", func(ctx spec.Context) {
				about := func(name string) bool { return name == "deprecation" || name == "sunset" }
				a := seen.Await(ctx)
				ctx.Note("%s: %s", status(a.Exchange), strings.Join(headersOf(a, about, "neither header"), ", "))
			})
		})
}

// notesRefusals declares a rule that records what is found in each refusal, and in more answers, sorted and once each.
func (s *Suite) notesRefusals(id string, section Section, statement, text string,
	find func(sent, target.Answer) []record.Value, more ...sent,
) {
	spec.Helper()
	s.Rule(id, Observe, section, statement, func() {
		kinds := append(s.refusals(), more...)
		s.It(text, func(ctx spec.Context) {
			var found []record.Value
			for _, k := range kinds {
				if a, ok := k.seen.Settled(ctx); ok {
					found = append(found, find(k, a)...)
				}
			}
			if len(found) == 0 {
				ctx.Inconclusive("nothing was refused")
			}
			slices.SortFunc(found, func(a, b record.Value) int { return strings.Compare(a.String(), b.String()) })
			found = slices.CompactFunc(found, func(a, b record.Value) bool { return a.String() == b.String() })
			if len(found) > 1 {
				found = slices.DeleteFunc(found, func(v record.Value) bool { return v.String() == "no such header" })
			}
			ctx.Saw(found...)
		})
	})
}

// headersOf lists the names of some headers of an answer; none says that there are none.
func headersOf(a target.Answer, about func(name string) bool, none string) []string {
	names := map[string]bool{}
	for name := range a.Header {
		if name = strings.ToLower(name); about(name) {
			names[name] = true
		}
	}
	if len(names) == 0 {
		return []string{none}
	}
	return slices.Sorted(maps.Keys(names))
}

func aboutLimits(name string) bool {
	return name == "retry-after" || name == "www-authenticate" || strings.Contains(name,
		"ratelimit") || strings.Contains(name, "rate-limit")
}

// words joins the texts of a JSON body that consist of several words: messages, as opposed to codes and IDs.
func words(body []byte) string {
	doc, ok := target.Document(body)
	if !ok {
		return strings.TrimSpace(string(body))
	}
	var found []string
	target.Leaves(doc, func(_ string, v any) {
		if text, _ := v.(string); strings.Contains(strings.TrimSpace(text), " ") {
			found = append(found, text)
		}
	})
	slices.Sort(found)
	return strings.Join(found, "\n")
}

// codes lists the error codes of a JSON body: the values of keys that are called so, as far as they are words of a
// program and not of a person.
func codes(body []byte) (found []string) {
	doc, _ := target.Document(body) // what is not JSON has no codes
	target.Leaves(doc, func(path string, v any) {
		text, _ := v.(string)
		if strings.HasSuffix(strings.ToLower(path), "code") && codeShape.MatchString(text) {
			found = append(found, text)
		}
	})
	return found
}

// codeShape is a code such as invalid_request, ERR-42 or 1001: no date, no CPF, no UUID.
var codeShape = regexp.MustCompile(`^([A-Za-z][A-Za-z_.-]{1,46}[0-9]{0,6}|[0-9]{1,6})$`)
