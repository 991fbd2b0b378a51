package create

import (
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/internal/token"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// headerValue is a value of a header and its description.
type headerValue struct {
	description string
	value       func() string
}

// withHeader returns one creation per value of a header, which is named by its key in the
// deployment file.
func (s *Suite) withHeader(key string, values ...headerValue) (probes []lab.Probe) {
	for _, v := range values {
		p := newProbe(v.description+" "+key, func(r *target.Request) {
			switch value := v.value(); key {
			case "transaction_id":
				r.Transaction = value
			case "nonce":
				r.Nonce = value
			case "product":
				r.Product = value
			case "on_behalf_of":
				r.Product, r.OnBehalfOf = s.target.Deployment.Fixtures.ProductID, value
			}
		}).Expecting(expectRequiredRejected())
		if key == "product" || key == "on_behalf_of" {
			p = concerningCaller(p)
			p.RequiresAccepted = []lab.AnswerObservation{s.observeValid(s.withProduct())}
		}
		probes = append(probes, p)
	}
	return probes
}

func noHeader() headerValue { return headerValue{"no", func() string { return "" }} }

func notUUIDHeader(words string, kind int) headerValue {
	return headerValue{words + " as", func() string { return token.NotUUIDs()[kind] }}
}

// alternateBySeed makes a run try every other probe, chosen by its seed.
func alternateBySeed(all []lab.Probe) []lab.Probe {
	for i := range all {
		all[i].Sampling = spec.EveryOtherSeed(i)
	}
	return all
}

// withUppercaseUUIDs returns a creation with identifiers in capitals.
func withUppercaseUUIDs() lab.Probe {
	return newProbe("identifiers in capitals", func(r *target.Request) {
		r.Transaction, r.Nonce = strings.ToUpper(r.Transaction), strings.ToUpper(r.Nonce)
	})
}

// malformedUUIDs returns near misses of UUIDs only. A deployment that accepts arbitrary text
// accepts these, too, or looks up what the text names.
func malformedUUIDs() []headerValue {
	return []headerValue{
		notUUIDHeader("text before a UUID", token.NotUUIDAfterText),
		notUUIDHeader("text after a UUID", token.NotUUIDBeforeText),
		notUUIDHeader("a UUID with a digit too few", token.NotUUIDTruncated),
	}
}

// unknownUUIDs returns IDs of nothing.
func unknownUUIDs() []headerValue {
	return []headerValue{
		{"an unknown UUID as", target.NewUUID},
		{"an unknown UUID of version 1 as", token.UUIDv1},
	}
}

func (s *Suite) declareHeaderRules() {
	s.Describe("headers", func() {
		sent := s.target.Deployment.LegalRepresentative.Headers
		s.declareIdentifierRules("transaction_id", "transaction ID", sent.TransactionID)
		s.declareIdentifierRules("nonce", "nonce", sent.Nonce)
		s.ruleAccepts("create.header.language", Must, SectionCreate,
			"pt-BR, en-US and no preferred language at all are accepted.", withLanguage(""),
			withLanguage("pt-BR"), withLanguage("en-US"))
		s.ruleAccepts("create.header.capitals", Should, SectionCreate,
			"A transaction ID and a nonce in capitals are UUIDs all the same.", withUppercaseUUIDs())
		s.declareDefaultLanguage()
	})
}

func (s *Suite) declareIdentifierRules(key, name, header string) {
	id, names := "create.header."+key, spec.RestsOnNames(headerKeyPrefix+key)
	missing := s.withHeader(key, noHeader())[0]
	// the header is there and empty
	empty := newProbe("an empty "+key, func(r *target.Request) {
		if missing.Edit(r); header != "" {
			r.SetHeader(header, "")
		}
	}).Expecting(expectRequiredRejected())
	unlessGiven := names
	// a deployment that accepts no header does not require it, whatever its name
	if s.target.Deployment.Has(headerKeyPrefix + key) {
		unlessGiven = spec.RestsOnNames()
	}
	s.lab.RuleRejects(id+".absent", Must, SectionCreate, "A creation without a "+name+" is rejected.",
		[]lab.Probe{missing.InAllConfigurations()}, unlessGiven)
	s.lab.RuleRejects(id+".malformed", Must, SectionCreate,
		"A "+name+" that is not a UUID, or is empty, is rejected.",
		append(s.withHeader(key,
			append(malformedUUIDs(),
				notUUIDHeader("36 characters without hexadecimal digits", token.NotUUIDHex))...),
			empty),
		names)
	s.lab.RuleRejects(id+".version", Should, SectionCreate,
		"A "+name+" that is a UUID of another version than 4, or in another notation, is rejected.",
		append(s.withHeader(key, // there is one nil UUID: sent again, it would be refused as a repeat
			headerValue{"a UUID without dashes as", token.UUIDWithoutDashes},
			headerValue{"the nil UUID as", func() string { return token.NilUUID }}),
			slices.Concat(
				alternateBySeed(s.withHeader(key, headerValue{"a UUID of version 1 as", token.UUIDv1},
					headerValue{"a UUID of version 7 as", token.UUIDv7})),
				alternateBySeed(s.withHeader(key,
					headerValue{"a UUID in braces as", func() string { return "{" + target.NewUUID() + "}" }},
					headerValue{"a UUID of another variant as", token.UUIDOtherVariant})))...), names)
}

// declareDefaultLanguage declares the rule that refusals without a language are in Portuguese.
func (s *Suite) declareDefaultLanguage() {
	refusal := func(words, preferred string) answerObservation {
		return s.lab.ObserveProbe(
			lab.CombineProbes(withoutField("email"), withLanguage(preferred)).
				As("no email, " + words).Expecting(expectRequiredRejected()))
	}
	s.Rule("create.header.language.default", Should, SectionCreate,
		"Without a preferred language the messages are those of pt-BR.", func() {
			pt, en := refusal("in pt-BR", "pt-BR"), refusal("in en-US", "en-US")
			none := refusal("and no preferred language", "")
			s.It("gives the words of pt-BR, where they differ from those of en-US", func(ctx spec.Context) {
				portuguese := messagesIn(pt.Await(ctx).Body)
				english := messagesIn(en.Await(ctx).Body)
				neither := messagesIn(none.Await(ctx).Body)
				switch {
				case portuguese == english:
					ctx.NotVerifiedf("",
						"refusals have the same words, or none, in both languages, or %s is not the header's name",
						headerKeyPrefix+"language")
				case neither != portuguese && neither != english:
					ctx.NotVerifiedf("",
						"the words differ from refusal to refusal, so that languages cannot be distinguished")
				}
				flaw := FlawUnless(neither == portuguese, "those of en-US", reproscript.ExpectSameMessages{})
				// the language of the preceding request may persist
				flaw = flaw.ShownBy(en.Await(ctx).Exchange, none.Await(ctx).Exchange, pt.Await(ctx).Exchange)
				ctx.Expect(flaw).To(BeFlawless("Messages without a preferred language", "those of pt-BR"))
			})
			s.itKeepsNoLanguage(pt, en)
		})
}

// messagesIn joins the texts of a JSON body that have several words: messages, as opposed to
// codes and IDs.
func messagesIn(body []byte) string {
	if _, ok := answers.ParseJSON(body); !ok {
		return strings.TrimSpace(string(body))
	}
	return strings.Join(textsInJSON(body,
		func(_, text string) bool { return strings.Contains(strings.TrimSpace(text), " ") }),
		"\n")
}
