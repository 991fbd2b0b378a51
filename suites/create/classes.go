package create

import (
	"maps"
	"slices"
	"strings"

	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
	"github.com/gateassay/gateassay/suites/wrong"
)

// class is a kind of wrong value that programs take for a right one more easily than their authors think. It is tried
// on every field that it applies to: on a third of them in each run, by the seed.
type class struct {
	id, statement string
	level         Level
	applies       func(field) bool
	values        []wrong.Value
}

// classes lists the classes of wrong values. A new one is one entry here.
func classes() []class {
	return []class{
		{
			id: "create.value.second_line", level: Must, applies: formatted,
			statement: "Where a format is stated, a right value with more on a second line is rejected.",
			values:    wrong.SecondLine(),
		},
		{
			id: "create.value.control_characters", level: Must, applies: formatted,
			statement: "Where a format is stated, a value with control characters in it is rejected.",
			values:    wrong.ControlCharacters(),
		},
		{
			id: "create.value.second_line.email", level: Should, applies: of(email),
			statement: "An e-mail address with more on a second line, or control characters in it, is rejected.",
			values:    wrong.EmailLines(),
		},
		{
			id: "create.value.other_digits", level: Must, applies: of(digits),
			statement: "Digits only are those of ASCII: others are rejected.",
			values:    wrong.OtherDigits(),
		},
		{
			id: "create.value.other_letters", level: Should, applies: of(date, choice),
			statement: "In dates and listed values, digits and letters that only look like those of ASCII are rejected.",
			values:    wrong.LookAlikes(),
		},
		{
			id: "create.value.wrapped", level: Must, values: wrong.Wrapped(),
			applies:   func(f field) bool { return f.required && f.is != object },
			statement: "A required parameter whose value is an array or object that holds a right one is rejected.",
		},
		{
			id: "create.value.wrapped.optional", level: Should, values: wrong.Wrapped(),
			applies:   func(f field) bool { return !f.required },
			statement: "A right value inside an array or an object is rejected for the parameters that are not required, too.",
		},
		{
			id: "create.value.other_type", level: Should,
			applies:   func(f field) bool { return !f.required && of(text, digits, date, choice)(f) },
			statement: "A number or a boolean in place of a text is rejected for the parameters that are not required.",
			values:    wrong.OtherTypes(),
		},
		{
			id: "create.value.number_prefix", level: Should, applies: of(cents, percentage),
			statement: "A text that only begins like a number is rejected as one.",
			values:    wrong.NumberPrefixes(),
		},
		{
			id: "create.value.not_a_flag", level: Should, applies: of(flag),
			statement: "A text, a number or a list that is taken for true or false elsewhere is rejected as a flag.",
			values:    wrong.NotFlags(),
		},
		{
			id: "create.value.blank", level: Should, applies: func(f field) bool { return f.required && of(text, email)(f) },
			statement: "A required text that is nothing but white space, of any kind, is rejected.",
			values:    wrong.Blanks(),
		},
	}
}

// wrongValues: each class is one rule, and its cases are the class's values of the fields whose turn it is.
func (s *Suite) wrongValues() {
	s.Describe("classes of wrong values", func() {
		for _, c := range classes() {
			s.Rule(c.id, c.level, RequestTable, c.statement, func() {
				on := where(c.applies)
				for i, f := range on {
					for j, v := range c.values {
						if wrong.Turn(s.t.Seed, i+j, len(c.values)*len(on)) {
							e := s.spoilt(f, v)
							if f.worse != "" {
								e = e.only(s.unlike(f.worse))
							}
							s.isRejected(e)
						}
					}
				}
			})
		}
	})
}

// spoilt is a field with a wrong value.
func (s *Suite) spoilt(f field, v wrong.Value) edit {
	e := spelled(f.name+" "+v.Words, f.name, v.Spoil)
	if v.Undone {
		e = e.unlessFine(s.keptRight(f.name))
	}
	return e
}

// keptRight excuses an acceptance where the record shows what a valid creation would have: the value before it was spoilt.
func (s *Suite) keptRight(name string) func(target.Answer) bool {
	return s.ifShown(name, func(got any, sent target.Creation) bool { return got == sent.Plain(name) })
}

// ownFields: what only the service sets.
func (s *Suite) ownFields() {
	s.Rule("create.response.own_fields", Should, RecordTable,
		"What only the service sets is not taken from the request: id, document.id, document.type, person_type, created_at.",
		func() {
			sent := map[string]any{
				"id": target.UUID(), "document.id": target.UUID(), "document.type": "CNPJ", "person_type": "LEGAL_PERSON",
				"created_at": "2001-02-03T04:05:06Z",
			}
			e := all("fields that only the service sets", sent)
			seen := s.sound(e)
			s.It("sets them itself, or rejects a "+label(e), func(ctx spec.Context) {
				a := seen.Await(ctx)
				if !a.Success() {
					ctx.Expect(a).To(BeAnswered())
					return
				}
				found := s.read(a)
				needRecord(ctx, found)
				var taken []string
				for _, path := range slices.Sorted(maps.Keys(sent)) {
					if got, _ := found.record.Get(path); got == sent[path] {
						taken = append(taken, path)
					}
				}
				ctx.Expect(strings.Join(taken, ", ")).To(BeNothing("Taken from the request", "none of them"))
			})
		})
}
