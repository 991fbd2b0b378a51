package create

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/gateway/rules"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// class is a kind of wrong value that programs take for a right one more easily than their authors think. It is tried
// on every field that it applies to: on a third of them in each run, by the seed.
type class struct {
	id, statement string
	level         Level
	applies       func(field) bool
	values        []value
}

// value spoils the right value of a field.
type value struct {
	words  string // "in an array"
	spoil  func(right any) any
	undone bool // who takes what was added off again keeps a right record
}

// classes lists the classes of wrong values. A new one is one entry here.
func classes() []class {
	return []class{
		{
			id: "create.value.second_line", level: Must, applies: formatted,
			statement: "Where a format is stated, a right value with more on a second line is rejected.",
			values: []value{
				{words: "with more on a second line", spoil: inText(func(s string) string { return s + "\nx" })},
				{words: "on the second line", spoil: inText(func(s string) string { return "x\n" + s })},
				{words: "with a line end behind it", spoil: inText(func(s string) string { return s + "\n" }), undone: true},
			},
		},
		{
			id: "create.value.control_characters", level: Must, applies: formatted,
			statement: "Where a format is stated, a value with control characters in it is rejected.",
			values: []value{
				{words: "with a NUL behind it", spoil: inText(func(s string) string { return s + "\x00" }), undone: true},
				{words: "with a NUL and more behind it", spoil: inText(func(s string) string { return s + "\x00x" })},
				{words: "with a BEL in it", spoil: inText(func(s string) string { return s[:4] + "\a" + s[4:] }), undone: true},
			},
		},
		{
			id: "create.value.second_line.email", level: Should, applies: of(email),
			statement: "An e-mail address with more on a second line, or control characters in it, is rejected.",
			values: []value{
				{words: "with more on a second line", spoil: inText(func(s string) string { return s + "\nBcc: x@example.com" })},
				{words: "with a line end behind it", spoil: inText(func(s string) string { return s + "\n" }), undone: true},
				{words: "with a NUL in it", spoil: inText(func(s string) string { return s[:4] + "\x00" + s[4:] }), undone: true},
			},
		},
		{
			id: "create.value.other_digits", level: Must, applies: of(digits),
			statement: "Digits only are those of ASCII: others are rejected.",
			values: []value{
				{words: "in Arabic digits", spoil: inText(shifted('\u0660')), undone: true},
				{words: "in full-width digits", spoil: inText(shifted('\uff10')), undone: true},
				{words: "in Devanagari digits", spoil: inText(shifted('\u0966')), undone: true},
				{words: "with a superscript for its last digit", spoil: inText(func(s string) string { return s[:len(s)-1] + "²" })},
			},
		},
		{
			id: "create.value.other_letters", level: Should, applies: of(date, choice),
			statement: "In dates and listed values, digits and letters that only look like those of ASCII are rejected.",
			values: []value{
				{words: "in full-width characters", spoil: inText(fullWidth), undone: true},
				{words: "in Arabic digits, or with a Cyrillic letter", spoil: inText(lookAlike), undone: true},
			},
		},
		{
			id: "create.value.wrapped", level: Must, values: wrapped(),
			applies:   func(f field) bool { return f.required && f.is != object },
			statement: "A required parameter whose value is an array or object that holds a right one is rejected.",
		},
		{
			id: "create.value.wrapped.optional", level: Should, values: wrapped(),
			applies:   func(f field) bool { return !f.required },
			statement: "A right value inside an array or an object is rejected for the parameters that are not required, too.",
		},
		{
			id: "create.value.other_type", level: Should,
			applies:   func(f field) bool { return !f.required && of(text, digits, date, choice)(f) },
			statement: "A number or a boolean in place of a text is rejected for the parameters that are not required.",
			values:    []value{{words: "that is a boolean", spoil: always("true")}, {words: "that is a number", spoil: always("7")}},
		},
		{
			id: "create.value.number_prefix", level: Should, applies: of(cents, percentage),
			statement: "A text that only begins like a number is rejected as one.",
			values: []value{
				{words: "that is a text with a unit", spoil: always(`"50abc"`)},
				{words: "that is an empty text", spoil: always(`""`)},
				{words: "that is a hexadecimal text", spoil: always(`"0x10"`)},
				{words: "that is the text NaN", spoil: always(`"NaN"`)},
			},
		},
		{
			id: "create.value.not_a_flag", level: Should, applies: of(flag),
			statement: "A text, a number or a list that is taken for true or false elsewhere is rejected as a flag.",
			values: []value{
				{words: "that is yes", spoil: always(`"yes"`)},
				{words: "that is 0", spoil: always("0")},
				{words: "that is an empty list", spoil: always("[]")},
				{words: "that is the text false", spoil: always(`"false"`)},
			},
		},
		{
			id: "create.value.blank", level: Should, applies: func(f field) bool { return f.required && of(text, email)(f) },
			statement: "A required text that is nothing but white space, of any kind, is rejected.",
			values: []value{
				{words: "that is a space", spoil: always(`" "`)},
				{words: "that is a tab and a line end", spoil: always(`"\t\n"`)},
				{words: "that is a no-break space", spoil: always(`"\u00a0"`)},
				{words: "that is an em space", spoil: always(`"\u2003"`)},
			},
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
						if s.turn(i+j, len(c.values)*len(on)) {
							e := s.wrong(f, v)
							if f.worse != "" {
								e = e.only(s.checking(f.worse))
							}
							s.isRejected(e)
						}
					}
				}
			})
		}
	})
}

// runs is over how many seeds a class is tried in full, where it has more cases than few.
const runs, few = 3, 4

// turn reports whether the nth case of some is this run's.
func (s *Suite) turn(n, of int) bool {
	return of <= few || n%runs == int(uint64(s.t.Seed)%runs)
}

// wrong is a field with a spoilt value.
func (s *Suite) wrong(f field, v value) edit {
	e := spelled(f.name+" "+v.words, f.name, v.spoil)
	if v.undone {
		e = e.unlessFine(s.keptRight(f.name))
	}
	return e
}

// keptRight excuses an acceptance where the record shows what a valid creation would have: the value before it was spoilt.
func (s *Suite) keptRight(name string) func(target.Answer) bool {
	return s.ifShown(name, func(got any, sent target.Creation) bool { return got == sent.Plain(name) })
}

func always(json string) func(any) any { return func(any) any { return representative.Raw(json) } }

func inText(spoil func(string) string) func(any) any {
	return func(right any) any { return spoil(fmt.Sprint(right)) }
}

func wrapped() []value {
	in := func(form string) func(any) any {
		return func(right any) any { return representative.Raw(fmt.Sprintf(form, notation(right))) }
	}
	return []value{{words: "in an array", spoil: in("[%s]")}, {words: "in an object", spoil: in(`{"v": %s}`)}}
}

// shifted writes each digit as that of another script, whose zero is given.
func shifted(zero rune) func(string) string {
	return func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return r - '0' + zero
			}
			return r
		}, s)
	}
}

func fullWidth(s string) string {
	return strings.Map(func(r rune) rune {
		if r > ' ' && r <= '~' {
			return r - ' ' + '\uff00'
		}
		return r
	}, s)
}

// lookAlike has digits of another script, or else a Cyrillic letter in place of a Latin one.
func lookAlike(s string) string {
	if strings.ContainsAny(s, "0123456789") {
		return shifted('\u0660')(s)
	}
	return strings.NewReplacer("A", "А", "E", "Е", "O", "О", "T", "Т").Replace(s)
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
