package create

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// observed records what the document leaves open. Nothing here is judged.
func (s *suite) observed(kinds []kind, r repeats) {
	// Which header names the deployment takes.
	s.p.It("create.observed.header_names", "names of the headers", plan.After(s.c.Creation), func(ctx context.Context) {
		s.c.Creation.Await(ctx)
		h := s.t.Deployment.LegalRepresentative.Headers
		s.p.Note("as configured, in an accepted creation: transaction ID %s, nonce %s; as configured: language %s, on behalf of %s",
			h.TransactionID, h.Nonce, h.Language, h.OnBehalfOf)
	})
	s.observedRefusals(kinds)
	s.observedRepeats(r)
	s.observedFields()
	s.observedValues()
}

// status is what a request got, in one word.
func status(x *client.Exchange) string {
	if x == nil || x.Status == 0 {
		return "no answer"
	}
	return strconv.Itoa(x.Status)
}

// observedRefusals: statuses, bodies, headers and languages of refusals.
func (s *suite) observedRefusals(kinds []kind) {
	var deps []plan.Awaited
	var sent []kind
	for _, k := range kinds {
		if k.key == "" || s.t.Deployment.Has(k.key) {
			deps = append(deps, k.seen)
			sent = append(sent, k)
		}
	}

	// The status of each kind of refusal.
	s.p.It("create.observed.rejection_status", "status of each kind", deps, func(ctx context.Context) {
		var lines []string
		for _, k := range sent {
			if a, ok := k.seen.Settled(ctx); ok {
				lines = append(lines, k.name+" "+status(a.Exchange))
			}
		}
		slices.Sort(lines)
		s.note(strings.Join(lines, "; "))
	})

	// The shape of their bodies, and the codes in them.
	s.p.It("create.observed.error_body", "keys, types and codes", deps, func(ctx context.Context) {
		var shapes, found []string
		for _, k := range sent {
			if a, ok := k.seen.Settled(ctx); ok && a.Refusal() {
				shapes = append(shapes, shape(a.Body))
				found = append(found, codes(a.Body)...)
			}
		}
		slices.Sort(shapes)
		slices.Sort(found)
		line := strings.Join(slices.Compact(shapes), "; ")
		if len(found) > 0 {
			line += "; codes: " + s.t.Client.Redactor().Text(strings.Join(slices.Compact(found), ", "))
		}
		s.note(line)
	})

	// Headers about limits and authentication, by name.
	s.p.It("create.observed.headers", "names of headers about limits and authentication", append(plan.After(s.c.Creation), deps...), func(ctx context.Context) {
		names := map[string]bool{}
		collect := func(x *client.Exchange) {
			for name := range x.Header {
				if name = strings.ToLower(name); aboutLimits(name) {
					names[name] = true
				}
			}
		}
		collect(s.c.Creation.Await(ctx).Exchange)
		for _, k := range sent {
			if a, ok := k.seen.Settled(ctx); ok {
				collect(a.Exchange)
			}
		}
		if len(names) == 0 {
			s.p.Note("none")
			return
		}
		s.p.Note("%s", strings.Join(slices.Sorted(maps.Keys(names)), ", "))
	})

	s.observedLanguages()
}

// note records a line, or that nothing was seen.
func (s *suite) note(line string) {
	if line == "" {
		s.p.Inconclusive("nothing was refused")
	}
	s.p.Note("%s", line)
}

func aboutLimits(name string) bool {
	return name == "retry-after" || name == "www-authenticate" || strings.Contains(name, "ratelimit") || strings.Contains(name, "rate-limit")
}

// observedLanguages: the language of messages by preferred language, and what another language gets.
func (s *suite) observedLanguages() {
	in := func(language string) *plan.Observation[target.Answer] {
		what := "a refusal in " + language
		if language == "" {
			what = "a refusal without a preferred language"
		}
		return s.send(what, target.AboutField, func(valid target.Creation) target.Creation {
			valid.Language = language
			return valid.Without("email")
		})
	}
	pt, en, none := in("pt-BR"), in("en-US"), in("")
	s.p.It("create.observed.error_language", "messages by preferred language", plan.After(pt, en, none), func(ctx context.Context) {
		portuguese, english, neither := words(pt.Await(ctx).Body), words(en.Await(ctx).Body), words(none.Await(ctx).Body)
		switch {
		case portuguese == "" && english == "":
			s.p.Note("refusals carry no words")
		case portuguese == english:
			s.p.Note("the same words for pt-BR and en-US")
		case neither == portuguese:
			s.p.Note("pt-BR and en-US differ, none is as pt-BR")
		case neither == english:
			s.p.Note("pt-BR and en-US differ, none is as en-US")
		default:
			s.p.Note("pt-BR, en-US and none all differ")
		}
	})

	other := s.send("preferred language fr-FR", target.AboutCaller, func(valid target.Creation) target.Creation {
		valid.Language = "fr-FR"
		return valid
	})
	s.p.It("create.observed.unknown_language", "fr-FR", plan.After(other), func(ctx context.Context) {
		s.p.Note("fr-FR: %s", status(other.Await(ctx).Exchange))
	})
}

// observedRepeats: how repeats are answered, and what another body or another transaction ID changes.
func (s *suite) observedRepeats(r repeats) {
	s.p.It("create.observed.repeat_status", "identical and under another nonce", plan.After(r.identical, r.newNonce), func(ctx context.Context) {
		s.p.Note("identical: %s; another nonce: %s", outcome(r.identical.Await(ctx)), outcome(r.newNonce.Await(ctx)))
	})

	otherBody := s.repeat("a creation and another person under its transaction ID", func(first target.Creation) target.Creation {
		next := s.t.Creation("")
		next.Transaction = first.Transaction
		return next
	})
	s.p.It("create.observed.repeat_other_body", "the same transaction ID for another person", plan.After(otherBody), func(ctx context.Context) {
		s.p.Note("%s", outcome(otherBody.Await(ctx)))
	})

	sameNonce := s.repeat("a creation and another person under its nonce", func(first target.Creation) target.Creation {
		next := s.t.Creation("")
		next.Nonce = first.Nonce
		return next
	})
	s.p.It("create.observed.nonce_reuse", "the same nonce for another person", plan.After(sameNonce), func(ctx context.Context) {
		s.p.Note("%s", outcome(sameNonce.Await(ctx)))
	})

	sameCPF := s.repeat("a creation and another person with its CPF", func(first target.Creation) target.Creation {
		return s.t.Creation("").With(cpf, first.Draft.Get(cpf))
	})
	s.p.It("create.observed.same_cpf", "two representatives with one CPF", plan.After(sameCPF), func(ctx context.Context) {
		s.p.Note("%s", outcome(sameCPF.Await(ctx)))
	})
}

// outcome words how a second creation was answered.
func outcome(r matchers.Repetition) string {
	same, other := r.Kept()
	switch {
	case same:
		return status(r.Again) + " with the first record"
	case other:
		return status(r.Again) + " with a second record"
	}
	return status(r.Again)
}
