package replay

import (
	"context"
	"errors"
	"strings"

	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// further is one more repeat that a cell of the table is judged by.
type further struct {
	mode   rules.Mode
	rule   string
	name   string
	blocks bool
	seen   *spec.Observation[repeated]
}

// observeFurther declares repeats that fall under the table as well: what a memory that is too small, or compares too
// little or too much, gets wrong although it does well with two requests that differ in much.
func (s *suite) observeFurther() {
	for _, m := range rules.Modes() {
		if m.Nonce || m.Transaction {
			s.judgeBy(m, "same", "the first request again, after others of its group", s.afterOthers(m))
		}
		if m.Nonce && m.Transaction {
			s.judgeBy(m, "other_nonce", "the transaction ID of one request with the nonce of another", s.crossed(m))
		}
	}
	none := mode("none")
	s.judgeBy(none, "same", "the repeat with another language and another user agent", repeat{
		words: "changes only headers that are not compared", blocks: true,
		again: func(sent target.ExportCall, _ []target.ExportCall) target.ExportCall {
			return sent.Set(target.HeaderLanguage, "en-US").Set("User-Agent", "curl/8.9.1")
		},
	})
	s.judgeBy(none, "other_query", "another value of the same query parameter", repeat{
		words: "changes only the value of a query parameter", tagged: true,
		again: func(sent target.ExportCall, _ []target.ExportCall) target.ExportCall {
			sent.Query = tag()
			return sent
		},
	})
	for _, b := range s.bodies() {
		s.judgeBy(none, "other_body", b.words+" alone differs", b.repeat())
	}
}

// judgeBy declares a repeat and the cell of the table that it is judged by.
func (s *suite) judgeBy(m rules.Mode, cell, name string, how repeat) {
	o := spec.Observe(s.p, called(m)+", a repeat that "+how.words, func(ctx context.Context) (repeated, error) {
		if how.tagged {
			if _, err := s.query.Get(ctx); err != nil {
				return repeated{}, err
			}
		}
		r, err := s.chain(ctx, m, how)
		if how.first == nil {
			return r, err
		}
		return r, s.understood(ctx, how, r, err)
	})
	if how.blocks {
		s.blocked = append(s.blocked, o)
	}
	s.further = append(s.further, further{m, "replay." + m.Name + "." + cell, name, how.blocks, o})
}

// checkFurther judges the further repeats by the table.
func (s *suite) checkFurther() {
	for _, f := range s.further {
		s.p.It(f.rule, f.name, spec.After(f.seen), func(ctx context.Context) {
			a := f.seen.Await(ctx).Answer
			if f.blocks {
				Expect(a).To(BeBlocked())
			} else {
				Expect(a).To(Pass())
			}
		})
	}
}

// afterOthers repeats a request when others of its group, which differ in one identifier each, came after it: it is an
// earlier request still.
func (s *suite) afterOthers(m rules.Mode) repeat {
	return repeat{
		words: "repeats everything, after requests of its group with other identifiers", blocks: true,
		between: func(first target.ExportCall) []target.ExportCall {
			var all []target.ExportCall
			for _, cell := range rules.Cells() {
				if (cell.Nonce != cell.Transaction) && !m.Blocks(cell) {
					other := s.cell(m, cell).again(first, nil)
					other.Label = called(m) + ", another request of the group: " + cell.Words
					all = append(all, other)
				}
			}
			return all
		},
		again: func(first target.ExportCall, _ []target.ExportCall) target.ExportCall { return first },
	}
}

// crossed sends two requests that share no identifier, and then the transaction ID of the first with the nonce of the
// second: together, they were never seen.
func (s *suite) crossed(m rules.Mode) repeat {
	return repeat{
		words: "carries the transaction ID of one request and the nonce of another",
		between: func(first target.ExportCall) []target.ExportCall {
			other := first
			other.Label = called(m) + ", another request of the group: changes both identifiers"
			other.Nonce, other.Transaction = target.UUID(), target.UUID()
			return []target.ExportCall{other}
		},
		again: func(first target.ExportCall, between []target.ExportCall) target.ExportCall {
			first.Nonce = between[0].Nonce
			return first
		},
	}
}

// otherBody is a body that differs in one field.
type otherBody struct {
	words  string
	fields target.Fields // what the first request has beside its bounds
	change func(sent target.Fields) target.Fields
}

// bodies are repeats in whose bodies one field alone differs. The texts are of one form, so that a deployment which
// understands one of them understands the other.
func (s *suite) bodies() []otherBody {
	to := func(field, value string) func(target.Fields) target.Fields {
		return func(sent target.Fields) target.Fields { return sent.With(field, value) }
	}
	text := "Ga " + s.t.Run // short: how long a text may be is open
	filter := target.Fields{"filter_type": "client_id", "filter_text": text}
	sorted := target.Fields{"sort": "quote_created_at", "order": "desc"}
	return []otherBody{
		{"the filter text", filter, to("filter_text", text+" II")},
		{"the case of the filter text", filter, to("filter_text", strings.ToLower(text))},
		{"the sort", sorted, to("sort", "settled_date")},
		{"the order", sorted, to("order", "asc")},
		// Of the table's own repeat without a value, the other bound differs.
		{"the end", nil, func(sent target.Fields) target.Fields { return otherBound(mode("nonce"), sent) }},
	}
}

func (b otherBody) repeat() repeat {
	return repeat{
		words: "keeps the identifiers with a body in which " + b.words + " alone differs",
		first: func(call target.ExportCall) target.ExportCall {
			for name, value := range b.fields {
				call.Fields = call.Fields.With(name, value)
			}
			return call
		},
		again: func(sent target.ExportCall, _ []target.ExportCall) target.ExportCall {
			sent.Fields = b.change(sent.Fields)
			return sent
		},
	}
}

// understood tells a body that the deployment accepts in no request from one that it takes for a repeat: the former is
// what the rules about requests are for.
func (s *suite) understood(ctx context.Context, how repeat, r repeated, err error) error {
	change := how.first // the first request was refused
	if err == nil {
		change = func(call target.ExportCall) target.ExportCall { return how.again(how.first(call), nil) }
	}
	if err == nil && !r.Refusal() || err != nil && !errors.Is(err, spec.ErrInconclusive) {
		return err
	}
	x := s.t.StartExport(ctx, func() target.ExportCall {
		return change(s.t.Export("an export that repeats nothing, with the fields of one that was refused", s.t.Unique()))
	})
	if ctx.Err() != nil {
		return spec.Interrupted
	}
	if x.Refusal() && !x.Transient() {
		return spec.Unmet("", "the deployment accepts such a body in no request (%s), see export.success", target.Describe(x))
	}
	return err
}
