package export

import (
	"slices"

	"github.com/gateassay/gateassay/gateway/client"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/design"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
	"github.com/gateassay/gateassay/suites/wrong"
)

// wrongValues: each class of wrong values is a rule, on the fields of the body whose turn it is. The document lists no
// errors of the operation.
func (s *Suite) wrongValues() {
	given := target.Fields{"sort": "settled_date", "order": "asc", "filter_type": "client_id", "type_extension": "CSV"}
	stated := []string{"sort", "order", "filter_type", "type_extension", "date_start", "date_end"}
	class := func(id, statement string, values []wrong.Value, fields []string) {
		spec.Helper()
		type spoilt struct {
			edit
			field string
		}
		var bad []spoilt
		for i, name := range fields {
			for j, v := range values {
				if !wrong.Turn(s.t.Seed, i+j, len(fields)*len(values)) {
					continue
				}
				bad = append(bad, spoilt{edit{name + " " + v.Words, func(c *target.ExportCall) {
					if right := given[name]; right != nil {
						c.Fields = c.Fields.With(name, right)
					}
					if name == "filter_type" {
						c.Fields = c.Fields.With("filter_text", s.someClient())
					}
					c.Fields = c.Fields.With(name, v.Spoil(c.Fields[name]))
				}}, name})
			}
		}
		s.Rule(id, Should, ExportOperation, statement, func() {
			how := rejection{target.AboutField, BeRejected(), false}
			for i, e := range bad {
				a := s.unwelcome(how, e.edit, func() []design.Context { return s.c.Assign(client.Export, id, len(bad))[i] })
				rule := "body." + e.field
				alike := slices.DeleteFunc(slices.Clone(s.rejected), func(r attempt) bool { return r.what != rule })
				for _, r := range alike {
					s.Uses(r)
				}
				s.It("refuses an export with "+e.what, func(ctx spec.Context) {
					got := a.Await(ctx)
					for _, r := range alike {
						if b, ok := r.Settled(ctx); ok && !got.Refusal() && !b.Refusal() {
							ctx.NotVerified("", "other wrong values of the field are not refused either, see %s", spec.Ref("export."+rule))
						}
					}
					ctx.Expect(got).To(how.match)
				})
			}
		})
	}
	s.Describe("classes of wrong values", func() {
		class("export.value.second_line", "A right value with more on a second line is rejected.", wrong.SecondLine(), stated)
		class("export.value.control_characters", "A value with control characters in it is rejected.",
			wrong.ControlCharacters(), stated)
		class("export.value.other_letters",
			"Digits and letters that only look like those of ASCII are rejected in dates and listed values.", wrong.LookAlikes(), stated)
		class("export.value.wrapped", "A right value inside an array or an object is rejected.", wrong.Wrapped(), stated)
		class("export.value.other_type", "A boolean in place of a text is rejected.", wrong.OtherTypes()[:1], stated)
	})
}
