package create

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/representative"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// kindOf says what the document states of a field's values.
type kindOf int

const (
	text kindOf = iota
	email
	uuid
	digits
	date
	choice
	number
	flag
)

// field is a field of the request.
type field struct {
	name     string // logical
	is       kindOf
	required bool
}

func fields() []field {
	return []field{
		{"shareholder_id", uuid, true},
		{"mother_name", text, true},
		{"phone_number", text, true},
		{"email", email, true},
		{"name", text, false},
		{"document_number", digits, false},
		{"document_country_of_issue", text, false},
		{"qualification", choice, false},
		{"birth_date", date, false},
		{"relationship_start_date", date, false},
		{"relationship_end_date", date, false},
		{"registration_update_date", date, false},
		{"income", number, false},
		{"patrimony", number, false},
		{"participation_percentage", number, false},
		{"pep", flag, false},
		{"is_public_server", flag, false},
		{"address.street", text, false},
		{"address.city", text, false},
	}
}

// stated are the fields whose format the document states.
func stated(f field) bool {
	return slices.Contains([]kindOf{uuid, digits, date, choice}, f.is)
}

func required(f field) bool { return f.required }

func of(kinds ...kindOf) func(field) bool {
	return func(f field) bool { return slices.Contains(kinds, f.is) }
}

// class is a kind of wrong value that programs take for a right one more easily than their authors think. It is tried
// on every field that it applies to: on a third of them in each run, by the seed.
type class struct {
	id, statement string
	level         Level
	applies       func(field) bool
	how           func(field) rejection
	values        []value
}

// value spoils the right value of a field, which is text in JSON's notation or what is between its quotation marks.
type value struct {
	words  string                    // "… in an array"
	spoil  func(right string) string // of a text that stays one
	raw    func(right any) string    // or the whole value as it goes out
	undone bool                      // who takes what was added off again keeps a right record
}

func byKind(f field) rejection {
	switch {
	case f.name == "shareholder_id":
		return ofShareholder()
	case f.required:
		return ofRequired()
	}
	return ofValue()
}

// classes lists the classes of wrong values. A new one is one entry here.
func classes() []class {
	inJSON := func(form string) func(any) string {
		return func(right any) string { return fmt.Sprintf(form, notation(right)) }
	}
	always := func(json string) func(any) string { return func(any) string { return json } }
	return []class{
		{
			id: "create.value.second_line", level: Must, applies: stated, how: byKind,
			statement: "Where a format is stated, a right value with more on a second line is rejected.",
			values: []value{
				{words: "with more on a second line", spoil: func(s string) string { return s + "\nx" }},
				{words: "on the second line", spoil: func(s string) string { return "x\n" + s }},
				{words: "with a line end behind it", spoil: func(s string) string { return s + "\n" }, undone: true},
			},
		},
		{
			id: "create.value.control_characters", level: Must, applies: stated, how: byKind,
			statement: "Where a format is stated, a value with control characters in it is rejected.",
			values: []value{
				{words: "with a NUL behind it", spoil: func(s string) string { return s + "\x00" }, undone: true},
				{words: "with a NUL and more behind it", spoil: func(s string) string { return s + "\x00x" }},
				{words: "with a BEL in it", spoil: func(s string) string { return s[:4] + "\a" + s[4:] }, undone: true},
			},
		},
		{
			id: "create.value.second_line.email", level: Should, applies: of(email), how: byKind,
			statement: "An e-mail address with more on a second line, or control characters in it, is rejected.",
			values: []value{
				{words: "with more on a second line", spoil: func(s string) string { return s + "\nBcc: x@example.com" }},
				{words: "with a NUL in it", spoil: func(s string) string { return s[:4] + "\x00" + s[4:] }, undone: true},
			},
		},
		{
			id: "create.value.other_digits", level: Must, applies: of(digits), how: byKind,
			statement: "Digits only are those of ASCII: others are rejected.",
			values: []value{
				{words: "in Arabic digits", spoil: shifted('\u0660'), undone: true},
				{words: "in full-width digits", spoil: shifted('\uff10'), undone: true},
				{words: "in Devanagari digits", spoil: shifted('\u0966'), undone: true},
				{words: "with a superscript for its last digit", spoil: func(s string) string { return s[:len(s)-1] + "²" }},
			},
		},
		{
			id: "create.value.other_letters", level: Should, applies: of(date, choice), how: byKind,
			statement: "In dates and listed values, digits and letters that only look like those of ASCII are rejected.",
			values: []value{
				{words: "in full-width characters", spoil: fullWidth, undone: true},
				{words: "in Arabic digits, or with a Cyrillic letter", spoil: lookAlike, undone: true},
			},
		},
		{
			id: "create.value.wrapped", level: Must, applies: required, how: byKind,
			statement: "A required parameter whose value is an array or object that holds a right one is rejected.",
			values: []value{
				{words: "in an array", raw: inJSON("[%s]")}, {words: "in an object", raw: inJSON(`{"v": %s}`)},
			},
		},
		{
			id: "create.value.wrapped.optional", level: Should, how: byKind,
			applies:   func(f field) bool { return !f.required },
			statement: "A right value inside an array or an object is rejected for the parameters that are not required, too.",
			values: []value{
				{words: "in an array", raw: inJSON("[%s]")}, {words: "in an object", raw: inJSON(`{"v": %s}`)},
			},
		},
		{
			id: "create.value.other_type", level: Should, how: byKind,
			applies:   func(f field) bool { return !f.required && f.is != number && f.is != flag },
			statement: "A number or a boolean in place of a text is rejected for the parameters that are not required.",
			values: []value{
				{words: "that is a boolean", raw: always("true")}, {words: "that is a number", raw: always("7")},
			},
		},
		{
			id: "create.value.number_prefix", level: Should, applies: of(number), how: byKind,
			statement: "A text that only begins like a number is rejected as one.",
			values: []value{
				{words: "that is a text with a unit", raw: always(`"50abc"`)},
				{words: "that is an empty text", raw: always(`""`)},
				{words: "that is a hexadecimal text", raw: always(`"0x10"`)},
				{words: "that is the text NaN", raw: always(`"NaN"`)},
			},
		},
		{
			id: "create.value.blank", level: Should, applies: func(f field) bool { return f.required && f.is != uuid }, how: byKind,
			statement: "A required text that is nothing but white space, of any kind, is rejected.",
			values: []value{
				{words: "that is a space", raw: always(`" "`)},
				{words: "that is a tab and a line end", raw: always(`"\t\n"`)},
				{words: "that is a no-break space", raw: always(`"\u00a0"`)},
				{words: "that is an em space", raw: always(`"\u2003"`)},
			},
		},
	}
}

// wrongValues: each class is one rule, and its cases are the class's values of the fields that are its turn.
func (s *Suite) wrongValues() {
	s.Describe("classes of wrong values", func() {
		for _, c := range classes() {
			s.Rule(c.id, c.level, RequestTable, c.statement, func() {
				for i, f := range slices.DeleteFunc(fields(), func(f field) bool { return !c.applies(f) }) {
					for j, v := range c.values {
						if s.turn(i+j, len(c.values)*countOf(c)) {
							s.wrong(c, f, v)
						}
					}
				}
			})
		}
	})
}

func countOf(c class) (n int) {
	for _, f := range fields() {
		if c.applies(f) {
			n++
		}
	}
	return n
}

// runs is over how many seeds a class is tried in full, where it has more cases than few.
const runs, few = 3, 4

// turn reports whether the nth case of some is this run's.
func (s *Suite) turn(n, of int) bool {
	return of <= few || n%runs == int(uint64(s.t.Seed)%runs)
}

// wrong declares that a creation with a spoilt value is rejected.
func (s *Suite) wrong(c class, f field, v value) {
	e := changed(f.name+" "+v.words, func(x *target.Creation) { *x = x.With(f.name, v.of(x.Draft.Get(f.name))) })
	e.fine = func(a target.Answer) bool { return v.undone && s.keptRight(a, f.name) }
	how := c.how(f)
	seen := s.inCompany(how, e, []control.Row{control.Plain})
	s.It("rejects a "+label(e), func(ctx spec.Context) {
		a := seen.Await(ctx)
		if ok, _ := how.matcher.Match(a); ok || e.fine(a) {
			return
		}
		if !s.t.Deployment.Documented(f.name) {
			if _, unread := s.evidence(fieldKeys + f.name).Get(ctx); unread != nil {
				ctx.GiveUp(unread)
			}
		}
		ctx.Expect(a).To(how.matcher)
	})
}

func (v value) of(right any) any {
	if v.raw != nil {
		return representative.Raw(v.raw(right))
	}
	return v.spoil(fmt.Sprint(right))
}

// notation is a value as JSON.
func notation(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("a value of our own is not JSON: " + err.Error())
	}
	return string(b)
}

// keptRight reports whether the record shows what a valid creation would have: the value before it was spoilt.
func (s *Suite) keptRight(a target.Answer, name string) bool {
	found := s.read(a)
	if !a.Success() || found.record == nil || a.Creation == nil {
		return false
	}
	got, _ := found.record.Get(representative.ResponsePath(name))
	return got == a.Creation.Plain(name)
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
			const old = "2001-02-03T04:05:06Z"
			sent := map[string]any{
				"id": target.UUID(), "document.id": target.UUID(), "document.type": "CNPJ", "person_type": "LEGAL_PERSON",
				"created_at": old,
			}
			e := all("fields that only the service sets", sent)
			seen := s.vary(target.AboutField, e)
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
				ctx.Expect(strings.Join(taken, ", ")).To(BeNothing("Taken from the request: ", "none of them"))
			})
		})
}
