package create

import (
	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/token"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// setter makes the edit that gives a header a value; what describes the value.
type setter func(what string, value func() string) edit

// header finds the setter of a header by its key in the deployment file.
func (s *Suite) header(key string) setter {
	set := map[string]func(c *target.Creation, value string){
		"transaction_id": func(c *target.Creation, value string) { c.Transaction = value },
		"nonce":          func(c *target.Creation, value string) { c.Nonce = value },
		"language":       func(c *target.Creation, value string) { c.Language = value },
		"product":        func(c *target.Creation, value string) { c.Product = value },
		"on_behalf_of": func(c *target.Creation, value string) {
			c.Product, c.OnBehalfOf = s.t.Deployment.Fixtures.ProductID, value
		},
	}[key]
	return func(what string, value func() string) edit {
		return changed(what+" "+key, func(c *target.Creation) { set(c, value()) })
	}
}

func (set setter) absent() edit { return set("no", func() string { return "" }) }

func (set setter) garbage() edit { return set.not("text before a UUID as", token.AfterText) }

func (set setter) not(what string, kind int) edit {
	return set(what, func() string { return token.NotUUIDs()[kind] })
}

// malformed are values that no reading takes for a UUID. What is nothing like one is not among them: whoever accepts
// that accepts one of these as well. Nor are 36 characters without digits: whoever takes those for an ID looks for what
// it names, and an unknown one is another rule's matter.
func (set setter) malformed() []edit {
	return []edit{
		set.not("text after a UUID as", token.BeforeText), set.not("a UUID with a digit too few as", token.CutUUID),
		set.garbage(),
	}
}

// notUUIDs are malformed values of a header that has to be there, none among them. It names nothing that exists yet.
func (s *Suite) notUUIDs(key string) []edit {
	set := s.header(key)
	return []edit{
		set.not("text after a UUID as", token.BeforeText), s.emptied(key),
		set.not("36 characters without hexadecimal digits as", token.NoHex), set.garbage(),
		set.not("a UUID with a digit too few as", token.CutUUID),
	}
}

// emptied is a header that is there and holds nothing.
func (s *Suite) emptied(key string) edit {
	return changed("an empty "+key, func(c *target.Creation) {
		s.header(key).absent().apply(c)
		headers := s.t.Deployment.LegalRepresentative.Headers
		name := map[string]string{"transaction_id": headers.TransactionID, "nonce": headers.Nonce}[key]
		if c.Header = c.Header.Clone(); name != "" {
			c.Header[name] = []string{""}
		}
	})
}

// otherVersions are UUIDs of another version than 4, and nearly right ones.
func (set setter) otherVersions() []edit {
	// There is one nil UUID: sent again, it would be refused as a repeat.
	none := set("the nil UUID as", func() string { return token.NilUUID })
	none.plain = true
	return []edit{
		set("a UUID of version 1 as", token.UUIDv1), set("a UUID of version 7 as", token.UUIDv7),
		set("a UUID of another variant as", token.OtherVariant), set("a UUID without dashes as", token.Undashed),
		none,
		set("a UUID in braces as", func() string { return "{" + target.UUID() + "}" }),
	}
}

func (s *Suite) headers() {
	s.Describe("headers", func() {
		transaction, nonce := s.header("transaction_id"), s.header("nonce")
		s.rejects("create.header.transaction_id.absent", Must, CreateOperation,
			"A creation without a transaction ID is rejected.", ofRequired(), s.unlessGiven("transaction_id"),
			transaction.absent())
		s.Group(spec.Names(headerKeys+"transaction_id"), func() {
			s.rejects("create.header.transaction_id.malformed", Must, CreateOperation,
				"A transaction ID that is not a UUID, or is empty, is rejected.", ofRequired(), s.notUUIDs("transaction_id"))
			s.rejects("create.header.transaction_id.version", Should, CreateOperation,
				"A transaction ID that is a UUID of another version than 4, or in another notation, is rejected.",
				ofRequired(), transaction.otherVersions())
		})
		s.rejects("create.header.nonce.absent", Must, CreateOperation, "A creation without a nonce is rejected.",
			ofRequired(), s.unlessGiven("nonce"), nonce.absent())
		s.Group(spec.Names(headerKeys+"nonce"), func() {
			s.rejects("create.header.nonce.malformed", Must, CreateOperation,
				"A nonce that is not a UUID, or is empty, is rejected.", ofRequired(), s.notUUIDs("nonce"))
			s.rejects("create.header.nonce.version", Should, CreateOperation,
				"A nonce that is a UUID of another version than 4, or in another notation, is rejected.", ofRequired(),
				nonce.otherVersions())
		})

		s.Rule("create.header.language", Must, CreateOperation,
			"pt-BR, en-US and no preferred language at all are accepted.", func() {
				s.accepted("accepts a creation with no preferred language", s.ordinary(
					changed("no preferred language", func(c *target.Creation) { c.Language = "" }),
					func(c target.Creation) bool { return c.Language == "" }))
				s.accepted("accepts a creation with preferred language pt-BR",
					s.vary(target.AboutField, language("pt-BR")))
				s.accepted("accepts a creation with preferred language en-US",
					s.vary(target.AboutField, language("en-US")))
			})

		s.Rule("create.header.language.default", Should, CreateOperation,
			"Without a preferred language the messages are those of pt-BR.", func() {
				rows := s.c.Rows(control.Accompanied(client.Create), s.Building(), 3, false)
				pt, en := s.refusalIn("pt-BR", rows[0]), s.refusalIn("en-US", rows[0])
				judge := func(text, found string, none answer) {
					s.It(text, func(ctx spec.Context) {
						s.defaultsToPortuguese(ctx, found, words(pt.Await(ctx).Body), words(en.Await(ctx).Body),
							words(none.Await(ctx).Body))
					})
				}
				judge("gives the words of pt-BR, where they differ from those of en-US",
					"Messages without a preferred language", s.refusalIn("", rows[0]))
				judge("gives the words of pt-BR with other options", "Messages without a preferred language",
					s.refusalIn("", rows[1]))
				if all := s.t.Deployment.Credentials; all.PlatformToken != nil && all.APIKey != nil {
					judge("gives the words of pt-BR to a caller with the API key",
						"Messages for the API key without a preferred language", s.refusalIn("", rows[2], s.apiKey()))
				}
			})
		s.observes("create.observed.unknown_language", CreateOperation,
			"How a preferred language other than pt-BR and en-US is answered.", language("fr-FR"))
	})
}

// defaultsToPortuguese judges the words of three refusals, one of them without a preferred language.
func (s *Suite) defaultsToPortuguese(ctx spec.Context, what, portuguese, english, neither string) {
	spec.Helper()
	if portuguese == english {
		ctx.NotVerified("", "refusals have the same words, or none, in both languages, or %s is not the header's name",
			headerKeys+"language")
	}
	if neither != portuguese && neither != english {
		ctx.NotVerified("", "the words differ from refusal to refusal, so that languages cannot be distinguished")
	}
	ctx.Expect(unlessRight(neither == portuguese, "those of en-US")).To(BeNothing(what, "those of pt-BR"))
}

// refusalIn is the refusal of a creation without an email, in a language, in company that has none.
func (s *Suite) refusalIn(preferred string, in []control.Row, more ...edit) answer {
	lacking := both(append([]edit{without("email"), changed("the preferred language "+preferred,
		func(c *target.Creation) { c.Language = preferred })}, more...)...)
	if preferred == "" {
		lacking.name = "no email, and no preferred language"
		for _, e := range more {
			lacking.name += ", " + e.name
		}
	}
	return s.inCompany(ofRequired(), lacking, in)
}
