package create

import (
	"context"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/token"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// spelling is a value of a header, and what describes it.
type spelling struct {
	what  string
	value func() string
}

// header gives a header of a key in the deployment file each of some values.
func (s *Suite) header(key string, values ...spelling) (edits []edit) {
	how := ofRequired()
	if key == "product" || key == "on_behalf_of" {
		how = ofCaller()
	}
	for _, v := range values {
		edits = append(edits, changed(v.what+" "+key, func(c *target.Creation) {
			switch value := v.value(); key {
			case "transaction_id":
				c.Transaction = value
			case "nonce":
				c.Nonce = value
			case "product":
				c.Product = value
			case "on_behalf_of":
				c.Product, c.OnBehalfOf = s.t.Deployment.Fixtures.ProductID, value
			}
		}).rejected(how))
	}
	return edits
}

func absent() spelling { return spelling{"no", func() string { return "" }} }

func noUUID(words string, kind int) spelling {
	return spelling{words + " as", func() string { return token.NotUUIDs()[kind] }}
}

// malformed are values that no reading takes for a UUID. What is nothing like one is not among them: whoever accepts
// that accepts one of these as well. Nor are 36 characters without digits: whoever takes those for an ID looks for what
// it names, and an unknown one is another rule's matter.
func malformed() []spelling {
	return []spelling{
		noUUID("text before a UUID", token.AfterText), noUUID("text after a UUID", token.BeforeText),
		noUUID("a UUID with a digit too few", token.CutUUID),
	}
}

// unknown are IDs of nothing.
func unknown() []spelling {
	return []spelling{{"an unknown UUID as", target.UUID}, {"an unknown UUID of version 1 as", token.UUIDv1}}
}

func (s *Suite) headers() {
	s.Describe("headers", func() {
		sent := s.t.Deployment.LegalRepresentative.Headers
		for _, h := range []struct{ key, name, header string }{
			{"transaction_id", "transaction ID", sent.TransactionID}, {"nonce", "nonce", sent.Nonce},
		} {
			id, names := "create.header."+h.key, spec.Names(headerKeys+h.key)
			none := s.header(h.key, absent())[0]
			empty := changed("an empty "+h.key, func(c *target.Creation) { // it is there and holds nothing
				none.apply(c)
				if c.Header = c.Header.Clone(); h.header != "" {
					c.Header[h.header] = []string{""}
				}
			}).rejected(ofRequired())
			s.rejects(id+".absent", Must, CreateOperation, "A creation without a "+h.name+" is rejected.",
				s.unlessGiven(h.key), none.inEveryContext())
			s.rejects(id+".malformed", Must, CreateOperation, "A "+h.name+" that is not a UUID, or is empty, is rejected.",
				names, s.header(h.key, malformed()...), empty, // it names nothing that exists yet:
				s.header(h.key, noUUID("36 characters without hexadecimal digits", token.NoHex)))
			s.rejects(id+".version", Should, CreateOperation,
				"A "+h.name+" that is a UUID of another version than 4, or in another notation, is rejected.",
				names, s.header(h.key, // there is one nil UUID: sent again, it would be refused as a repeat
					spelling{"a UUID of version 1 as", token.UUIDv1}, spelling{"a UUID of version 7 as", token.UUIDv7},
					spelling{"a UUID of another variant as", token.OtherVariant}, spelling{"a UUID without dashes as", token.Undashed},
					spelling{"the nil UUID as", func() string { return token.NilUUID }},
					spelling{"a UUID in braces as", func() string { return "{" + target.UUID() + "}" }}))
		}

		s.Rule("create.header.language", Must, CreateOperation,
			"pt-BR, en-US and no preferred language at all are accepted.", func() {
				s.accepted("accepts a creation with no preferred language", s.ordinary(
					changed("no preferred language", func(c *target.Creation) { c.Language = "" }),
					func(c target.Creation) bool { return c.Language == "" }))
				s.isAccepted(language("pt-BR"))
				s.isAccepted(language("en-US"))
			})
		s.defaultLanguage()
	})
}

// defaultLanguage: refusals without a language have the words of those in Portuguese.
func (s *Suite) defaultLanguage() {
	refusal := func(name, preferred string) edit {
		e := both(without("email"), language(preferred)).rejected(ofRequired())
		e.name, e.how.language = name, true
		return e
	}
	s.Rule("create.header.language.default", Should, CreateOperation,
		"Without a preferred language the messages are those of pt-BR.", func() {
			pt := s.refused(refusal("no email, in pt-BR", "pt-BR"))
			en := s.refused(refusal("no email, in en-US", "en-US"))
			var portuguese, english string
			e := refusal("no email, and no preferred language", "").inEveryContext().only(func(ctx context.Context) error {
				for in, o := range map[*string]answer{&portuguese: pt, &english: en} {
					a, err := o.Get(ctx)
					if err != nil {
						return err
					}
					*in = words(a.Body)
				}
				if portuguese == english {
					return spec.Unmet("", "refusals have the same words, or none, in both languages, or %s is not the header's name",
						headerKeys+"language")
				}
				return nil
			}).unlessFine(func(a target.Answer) bool { return words(a.Body) != english })
			e.how.matcher = BeAccepted() // which another rule is about
			none := s.refused(e)
			s.It("gives the words of pt-BR, where they differ from those of en-US", func(ctx spec.Context) {
				a := none.Await(ctx)
				neither := words(a.Body)
				if neither != portuguese && neither != english {
					ctx.NotVerified("", "the words differ from refusal to refusal, so that languages cannot be distinguished")
				}
				ctx.Expect(unlessRight(neither == portuguese, "those of en-US")).
					To(Given(BeNothing("Messages without a preferred language", "those of pt-BR"), a.Condition))
			})
		})
}

// words joins the texts of a JSON body that consist of several words: messages, as opposed to codes and IDs.
func words(body []byte) string {
	if _, ok := target.Document(body); !ok {
		return strings.TrimSpace(string(body))
	}
	return strings.Join(texts(body, func(_, text string) bool { return strings.Contains(strings.TrimSpace(text), " ") }), "\n")
}
