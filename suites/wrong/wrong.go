// Package wrong spoils right values, and says of values that came back how they were altered. Each class is a kind of wrong
// value that programs take for a right one more easily than their authors think; it is written once, and suites apply it to
// the fields of their operation.
package wrong

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Value spoils the right value of a field.
type Value struct {
	Words  string // "in an array"
	Spoil  func(right any) any
	Undone bool // who takes what was added off again keeps a right value
	Attack bool // web firewalls take it for one, and stop it with a status of their own
}

// JSON is a value of any JSON type, as it is written.
func JSON(text string) func(any) any { return func(any) any { return json.RawMessage(text) } }

// Text is a change of a text.
func Text(spoil func(string) string) func(any) any {
	return func(right any) any { return spoil(fmt.Sprint(right)) }
}

// attacks marks a class.
func attacks(class []Value) []Value {
	for i := range class {
		class[i].Attack = true
	}
	return class
}

// SecondLine is a right value and more, on two lines. A line end is a control character, too.
func SecondLine() []Value {
	return attacks([]Value{
		{Words: "with more on a second line", Spoil: Text(func(s string) string { return s + "\nx" })},
		{Words: "on the second line", Spoil: Text(func(s string) string { return "x\n" + s })},
		{Words: "with a line end behind it", Spoil: Text(func(s string) string { return s + "\n" }), Undone: true},
	})
}

// ControlCharacters stand in a right value, or behind it.
func ControlCharacters() []Value {
	return attacks([]Value{
		{Words: "with a NUL behind it", Spoil: Text(func(s string) string { return s + "\x00" }), Undone: true},
		{Words: "with a NUL and more behind it", Spoil: Text(func(s string) string { return s + "\x00x" })},
		{Words: "with a BEL in it", Spoil: Text(func(s string) string { return s[:len(s)/2] + "\a" + s[len(s)/2:] }), Undone: true},
	})
}

// EmailLines are what puts further headers into a message.
func EmailLines() []Value {
	return attacks([]Value{
		{Words: "with more on a second line", Spoil: Text(func(s string) string { return s + "\nBcc: x@example.com" })},
		{Words: "with a line end behind it", Spoil: Text(func(s string) string { return s + "\n" }), Undone: true},
		{Words: "with a NUL in it", Spoil: Text(func(s string) string { return s[:4] + "\x00" + s[4:] }), Undone: true},
	})
}

// OtherDigits are those of other scripts.
func OtherDigits() []Value {
	return []Value{
		{Words: "in Arabic digits", Spoil: Text(Digits('\u0660')), Undone: true},
		{Words: "in full-width digits", Spoil: Text(Digits('\uff10')), Undone: true},
		{Words: "in Devanagari digits", Spoil: Text(Digits('\u0966')), Undone: true},
		{Words: "with a superscript for its last digit", Undone: true, Spoil: Text(func(s string) string {
			last := len(s) - 1
			return s[:last] + string([]rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[s[last]-'0'])
		})},
	}
}

// LookAlikes are characters that only look like those of ASCII.
func LookAlikes() []Value {
	return []Value{
		{Words: "in full-width characters", Spoil: Text(moved('!', '~', '\uff01')), Undone: true},
		{Words: "in Arabic digits, or with a Cyrillic letter", Spoil: Text(lookAlike), Undone: true},
	}
}

// Wrapped is a right value inside an array or an object.
func Wrapped() []Value {
	in := func(form string) func(any) any {
		return func(right any) any {
			inner, err := json.Marshal(right)
			if err != nil {
				panic(fmt.Sprintf("a value of our own is not JSON: %v", err))
			}
			return json.RawMessage(fmt.Sprintf(form, inner))
		}
	}
	return []Value{{Words: "in an array", Spoil: in("[%s]")}, {Words: "in an object", Spoil: in(`{"v": %s}`)}}
}

// Digits writes each digit as that of another script, whose zero is given.
func Digits(zero rune) func(string) string { return moved('0', '9', zero) }

// moved writes the characters of a range as those of another one, whose first is given.
func moved(from, to, first rune) func(string) string {
	return func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= from && r <= to {
				return r - from + first
			}
			return r
		}, s)
	}
}

// lookAlike has digits of another script, or else Cyrillic letters in place of Latin ones.
func lookAlike(s string) string {
	if strings.ContainsAny(s, "0123456789") {
		return Digits('\u0660')(s)
	}
	return strings.NewReplacer("A", "А", "E", "Е", "O", "О", "T", "Т", "C", "С", "a", "а", "c", "с", "e", "е").Replace(s)
}
