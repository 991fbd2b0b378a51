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

// kind is a request whose status is recorded.
type kind struct {
	name string
	seen answer
}

// noteStatuses records what each of several requests got.
func noteStatuses(ctx spec.Context, kinds []kind) {
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

// refusals asks for one refusal of each kind: requests of rules, the first of n where those are sent in company.
func (s *Suite) refusals() []kind {
	one := func(name string, how rejection, e edit) kind { return kind{name, s.send(how.clear, e)} }
	of := func(name, id string, level Level, n int, how rejection, e edit) kind {
		return kind{name, s.inCompany(how, e, s.rows(id, level, n)[0])}
	}
	kinds := []kind{
		one("missing field", ofRequired(), without("email")),
		of("null field", "create.required.email.null", Should, 1, ofRequired(), with("email", nil)),
		of("empty field", "create.required.email.empty", Should, 1, ofRequired(), with("email", "")),
		of("wrong type", "create.type.phone_number", Must, 3, ofRequired(), s.otherThanText("phone_number")[0]),
		one("unknown shareholder", ofShareholder(), unknownShareholder()),
		one("out of range", ofValue(), percent("101")),
		of("malformed CPF", "create.cpf.formatted", Should, 2, ofValue(), s.dottedCPF()),
		one("impossible date", ofValue(), worded("birth_date in month 13", "birth_date", "1985-13-01")),
		of("unknown qualification", "create.qualification.unknown", Must, 5, ofValue(), unlisted("PARTNERS")),
		one("missing header", ofRequired(), s.header("transaction_id").absent()),
		one("malformed header", ofRequired(), s.header("transaction_id").garbage()),
		of("not JSON", "create.body.not_json", Must, 1, ofRequired(), s.plainWords()),
	}
	if s.t.Deployment.Has(unprivilegedKey) {
		kinds = append(kinds, one("no permission", ofCaller(), s.unprivileged()))
	}
	return kinds
}

// observedRefusals: statuses, bodies and headers of refusals.
func (s *Suite) observedRefusals() {
	s.Describe("refusals", func() {
		s.notesRefusals("create.observed.rejection_status", Errors, "Status of each kind of rejection.",
			"notes the status of each kind", func(k kind, a target.Answer) []record.Value {
				return []record.Value{record.Seen(k.name, status(a.Exchange))}
			})
		s.notesRefusals("create.observed.error_body", Errors, "Shape and codes of error bodies.",
			"notes keys and codes", func(_ kind, a target.Answer) []record.Value {
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
			"notes their names", func(_ kind, a target.Answer) []record.Value {
				return record.Each(headersOf(a, aboutLimits, "no such header"))
			}, kind{"accepted", s.c.Creation})
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
			seen := s.vary(target.AboutCaller, s.apiKey())
			s.It("notes those of a creation with the API key", func(ctx spec.Context) {
				about := func(name string) bool { return name == "deprecation" || name == "sunset" }
				a := seen.Await(ctx)
				ctx.Note("%s: %s", status(a.Exchange), strings.Join(headersOf(a, about, "neither header"), ", "))
			})
		})
}

// notesRefusals declares a rule that records what is found in each refusal, and in more answers, sorted and once each.
func (s *Suite) notesRefusals(id string, section Section, statement, text string,
	find func(kind, target.Answer) []record.Value, more ...kind,
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
