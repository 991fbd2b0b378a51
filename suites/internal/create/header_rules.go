package create

import (
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/invalidvalues"
	"github.com/gateassay/gateassay/suites/internal/lab"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// withHeader returns one creation per text in a header, given by its key in the deployment file.
func (s *Suite) withHeader(key string, texts ...invalidvalues.Text) (probes []lab.Probe) {
	for _, text := range texts {
		p := newProbe(text.Description+" as "+key,
			func(r *target.Request) { s.setHeader(r, key, text.New()) }).Expecting(requiredRejected)
		if key == "product" || key == "on_behalf_of" {
			p = concerningCaller(p).AfterAcceptanceOf(s.observeValid(s.withProduct()))
		}
		probes = append(probes, p)
	}
	return probes
}

// withoutHeader returns a creation without an identifier.
func (s *Suite) withoutHeader(key string) lab.Probe {
	return newProbe("no "+key, func(r *target.Request) { s.setHeader(r, key, "") }).
		Expecting(requiredRejected)
}

func (s *Suite) setHeader(r *target.Request, key, value string) {
	switch key {
	case "transaction_id":
		r.Transaction = value
	case "nonce":
		r.Nonce = value
	case "product":
		r.Product = value
	case "on_behalf_of":
		r.Product, r.OnBehalfOf = s.target.Deployment.Fixtures.ProductID, value
	}
}

// withUppercaseUUIDs returns a creation with identifiers in capitals.
func withUppercaseUUIDs() lab.Probe {
	return newProbe("identifiers in capitals", func(r *target.Request) {
		r.Transaction, r.Nonce = strings.ToUpper(r.Transaction), strings.ToUpper(r.Nonce)
	})
}

// unknownUUIDs returns IDs of nothing.
func unknownUUIDs() []invalidvalues.Text {
	return []invalidvalues.Text{
		{Description: "an unknown UUID", New: target.NewUUID},
		{Description: "an unknown UUID of version 1", New: invalidvalues.UUIDv1.New},
	}
}

func (s *Suite) declareHeaderRules() {
	s.Describe("headers", func() {
		sent := s.target.Deployment.LegalRepresentative.Headers
		s.declareIdentifierRules("transaction_id", "transaction ID", sent.TransactionID)
		s.declareIdentifierRules("nonce", "nonce", sent.Nonce)
		s.Rule("create.header.language", Must, SectionCreate,
			"A creation with preferred language pt-BR, with en-US or without one is accepted.",
			func() { s.itAccepts(withLanguage(""), withLanguage("pt-BR"), withLanguage("en-US")) })
		s.Rule("create.header.capitals", Should, SectionCreate,
			"A transaction ID and a nonce are accepted in capitals, too.",
			func() { s.itAccepts(withUppercaseUUIDs()) })
		s.declareDefaultLanguage()
	})
}

func (s *Suite) declareIdentifierRules(key, name, header string) {
	id, names := "create.header."+key, spec.RestsOnNames(headerKeyPrefix+key)
	missing := s.withoutHeader(key)
	// the header is there and empty
	empty := newProbe("an empty "+key, func(r *target.Request) {
		missing.Edit(r)
		if header != "" {
			r.SetHeader(header, "")
		}
	}).Expecting(requiredRejected)
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
			append(invalidvalues.MalformedUUIDs(), invalidvalues.NonHexUUID)...), empty), names)
	other := s.withHeader(key, invalidvalues.UUIDWithoutDashes,
		invalidvalues.NilUUID, // there is one: sent again, it would be refused as a repeat
		invalidvalues.UUIDv1, invalidvalues.UUIDv7, invalidvalues.UUIDInBraces,
		invalidvalues.UUIDOtherVariant)
	for i := range other[2:] {
		other[2+i].Sampling = spec.EveryOtherSeed(i)
	}
	s.lab.RuleRejects(id+".version", Should, SectionCreate,
		"A "+name+" that is a UUID of a version other than 4, or in another notation, is rejected.",
		other, names)
}

// declareDefaultLanguage declares the rule that refusals without a language are in Portuguese.
func (s *Suite) declareDefaultLanguage() {
	refusal := func(words, preferred string) lab.AnswerObservation {
		return s.lab.ObserveProbe(
			lab.CombineProbes(withoutField("email"), withLanguage(preferred)).
				As("no email, " + words).Expecting(requiredRejected))
	}
	s.Rule("create.header.language.default", Should, SectionCreate,
		"Without a preferred language the messages are those of pt-BR.", func() {
			pt, en := refusal("in pt-BR", "pt-BR"), refusal("in en-US", "en-US")
			none := refusal("and no preferred language", "")
			s.It("gives the words of pt-BR, where they differ from those of en-US", func(ctx spec.Context) {
				inPT, inEN, inNone := pt.Await(ctx), en.Await(ctx), none.Await(ctx)
				portuguese, english := distinctMessages(ctx, inPT, inEN)
				neither := messagesIn(inNone.Body)
				if neither != portuguese && neither != english {
					ctx.NotVerifiedf("",
						"the words differ from refusal to refusal, so that languages cannot be distinguished")
				}
				flaw := FlawUnless(neither == portuguese, "those of en-US", reproscript.ExpectSameMessages{})
				// the language of the preceding request may persist
				flaw = flaw.ShownBy(inEN.Exchange, inNone.Exchange, inPT.Exchange)
				ctx.Expect(flaw).To(BeFlawless("Messages without a preferred language", "those of pt-BR"))
			})
			s.itKeepsNoLanguage(pt, en)
		})
}

// itKeepsNoLanguage declares a case that a request is not answered in the language of earlier ones.
func (s *Suite) itKeepsNoLanguage(pt, en lab.AnswerObservation) {
	spec.Helper()
	seen := spec.ObserveAsCase(s.Plan, "refusals without a language, after many in English",
		func(ctx spec.Context) (all []target.Answer) {
			refused := func(preferred string) target.Request {
				r := s.target.NewValid(client.OperationCreate, "no email, after others in English")
				r.RemoveFields("email")
				r.Language, r.Invalid = preferred, true
				return r
			}
			const tries = 4
			for range tries { // each instance of the deployment may keep its own
				english := s.target.SendConcurrently(ctx, refused("en-US"), s.target.RaceSize())
				x := s.target.Send(ctx, func() target.Request { return refused("") })
				s.lab.MarkInvalid(append(english, x)...)
				ctx.StopOnError(s.lab.TransientError(ctx, x))
				all = append(all, target.Answer{Exchange: x, Preceding: english[len(english)-1:]})
			}
			return all
		}, spec.PhaseLate)
	s.It("keeps no language of requests before", func(ctx spec.Context) {
		_, english := distinctMessages(ctx, pt.Await(ctx), en.Await(ctx))
		var tally RuleTally
		for _, none := range seen.Await(ctx) {
			flaw := FlawUnless(messagesIn(none.Body) != english, "those of en-US",
				reproscript.ExpectSameMessages{})
			tally.AddAnswer(none.Exchange,
				flaw.ShownBy(none.Preceding[0], none.Exchange, pt.Await(ctx).Exchange))
		}
		ctx.Expect(tally).
			To(HoldForEveryAnswer("Messages without a preferred language, after others in English",
				"those of pt-BR"))
	}, spec.ThoroughOnly())
}

// distinctMessages returns the messages of two refusals, or ends the case where they are the same.
func distinctMessages(ctx spec.Context, pt, en target.Answer) (portuguese, english string) {
	portuguese, english = messagesIn(pt.Body), messagesIn(en.Body)
	if portuguese == english {
		ctx.NotVerifiedf("",
			"refusals have the same words, or none, in both languages, or %s is not the header's name",
			headerKeyPrefix+"language")
	}
	return portuguese, english
}

// messagesIn joins the texts of a JSON body that have several words, unlike codes and IDs.
func messagesIn(body []byte) string {
	if _, ok := answers.ParseJSON(body); !ok {
		return strings.TrimSpace(string(body))
	}
	return strings.Join(textsInJSON(body,
		func(_, text string) bool { return strings.Contains(strings.TrimSpace(text), " ") }),
		"\n")
}
