package export

import (
	"net/http"
	"slices"

	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/design"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
	"github.com/gateassay/gateassay/suites/wrong"
)

// wrongValues: each class of wrong values is a rule, on the fields of the body whose turn it is. The document lists no
// errors of the operation.
func (s *Suite) wrongValues() {
	s.Describe("classes of wrong values", func() {
		s.class("export.value.second_line", "A right value with more on a second line is rejected.", wrong.SecondLine())
		s.class("export.value.control_characters", "A value with control characters in it is rejected.", wrong.ControlCharacters())
		s.class("export.value.other_letters",
			"Digits and letters that only look like those of ASCII are rejected in dates and listed values.", wrong.LookAlikes())
		s.class("export.value.wrapped", "A right value inside an array or an object is rejected.", wrong.Wrapped())
		s.class("export.value.other_type", "A boolean in place of a text is rejected.", []wrong.Value{{Words: "that is a boolean", Spoil: wrong.JSON("true")}})
	})
}

// class declares the rule of a class. A field of which other wrong values are not refused either says nothing of it.
func (s *Suite) class(id, statement string, values []wrong.Value) {
	spec.Helper()
	right := []struct {
		name  string
		value any // nil: a bound of its own
	}{{"sort", "settled_date"}, {"order", "asc"}, {"filter_type", "client_id"}, {"type_extension", "CSV"}, {"date_start", nil}, {"date_end", nil}}
	var turns []int
	for at := range len(right) * len(values) {
		if wrong.Turn(s.t.Seed, at/len(values)+at%len(values), len(right)*len(values)) {
			turns = append(turns, at)
		}
	}
	s.Rule(id, Should, ExportOperation, statement, func() {
		for i, at := range turns {
			f, v, how := right[at/len(values)], values[at%len(values)], rejected(id)
			if v.Attack {
				how.clear, how.match = target.AboutAttack, BeRefused(http.StatusUnauthorized)
			}
			a := s.unwelcome(how, edit{f.name + " " + v.Words, func(c *target.ExportCall) {
				if f.value != nil {
					c.Fields = c.Fields.With(f.name, f.value)
				}
				if f.name == "filter_type" {
					c.Fields = c.Fields.With("filter_text", s.someClient())
				}
				c.Fields = c.Fields.With(f.name, v.Spoil(c.Fields[f.name]))
			}}, func() []design.Context { return s.c.Assign(client.Export, id, len(turns))[i] })
			alike := slices.DeleteFunc(slices.Clone(s.rejected), func(r attempt) bool { return r.what != "body."+f.name })
			for _, r := range alike {
				s.Uses(r)
			}
			s.It("refuses an export with "+a.what, func(ctx spec.Context) {
				got := a.Await(ctx)
				for _, r := range alike {
					if b, ok := r.Settled(ctx); ok && !got.Refusal() && !b.Refusal() {
						ctx.NotVerified("", "other wrong values of the field are not refused either, see %s", "export.body."+f.name)
					}
				}
				ctx.Expect(got).To(how.match)
			})
		}
	})
}
