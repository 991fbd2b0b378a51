// Package invalidvalues corrupts valid values. Each class is a kind of invalid value that
// programs easily take for a valid one. Suites apply the classes to the fields of their
// operation.
package invalidvalues

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Value derives an invalid value from the valid value of a field.
type Value struct {
	Description     string // "in an array"
	Apply           func(right any) any
	Recoverable     bool // removing what was added restores a valid value
	LooksLikeAttack bool // web firewalls may stop it with their own status
}

// ReplaceWithJSON returns a function that replaces a value with the given JSON.
func ReplaceWithJSON(text string) func(any) any {
	return func(any) any { return json.RawMessage(text) }
}

// ChangeText returns a function that applies spoil to the text of a value.
func ChangeText(spoil func(string) string) func(any) any {
	return func(right any) any { return spoil(fmt.Sprint(right)) }
}

// changed returns a value that spoil makes of the text of a valid one.
func changed(description string, spoil func(string) string) Value {
	return Value{Description: description, Apply: ChangeText(spoil)}
}

// recoverable is changed for a value from which removing what was added restores the valid one.
func recoverable(description string, spoil func(string) string) Value {
	v := changed(description, spoil)
	v.Recoverable = true
	return v
}

// markAttacks sets LooksLikeAttack for a class.
func markAttacks(class []Value) []Value {
	for i := range class {
		class[i].LooksLikeAttack = true
	}
	return class
}

// MultiLineTexts returns the class of valid values with a second line. A line end is a control
// character, too.
func MultiLineTexts() []Value {
	return markAttacks([]Value{
		changed("with more on a second line", func(s string) string { return s + "\nx" }),
		changed("on the second line", func(s string) string { return "x\n" + s }),
		recoverable("with a line end after it", func(s string) string { return s + "\n" }),
	})
}

// ControlCharacters returns the class of control characters in a valid value, or after it.
func ControlCharacters() []Value {
	return markAttacks([]Value{
		recoverable("with a NUL after it", func(s string) string { return s + "\x00" }),
		changed("with a NUL and more after it", func(s string) string { return s + "\x00x" }),
		recoverable("with a BEL in it",
			func(s string) string { return s[:len(s)/2] + "\a" + s[len(s)/2:] }),
	})
}

// EmailHeaderInjections returns the class of texts that add headers to an email.
func EmailHeaderInjections() []Value {
	return markAttacks([]Value{
		changed("with more on a second line",
			func(s string) string { return s + "\nBcc: x@example.com" }),
		recoverable("with a line end after it", func(s string) string { return s + "\n" }),
		recoverable("with a NUL in it", func(s string) string { return s[:4] + "\x00" + s[4:] }),
	})
}

// NonASCIIDigits returns the class of digits in other scripts, which get past simple filters.
func NonASCIIDigits() []Value {
	return markAttacks([]Value{
		recoverable("in Arabic digits", DigitsOfScript('\u0660')),
		recoverable("in full-width digits", DigitsOfScript('\uff10')),
		recoverable("in Devanagari digits", DigitsOfScript('\u0966')),
		recoverable("with a superscript for its last digit", func(s string) string {
			last := len(s) - 1
			return s[:last] + string([]rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[s[last]-'0'])
		}),
	})
}

// LookAlikeCharacters returns the class of characters that only look like ASCII.
func LookAlikeCharacters() []Value {
	return markAttacks([]Value{
		recoverable("in full-width characters", shiftCharacters('!', '~', '\uff01')),
		recoverable("in Arabic digits, or with a Cyrillic letter", withLookAlikes),
	})
}

// WrappedInJSON returns the class of valid values inside an array or an object.
func WrappedInJSON() []Value {
	in := func(form string) func(any) any {
		return func(right any) any {
			inner, err := json.Marshal(right)
			if err != nil {
				panic(fmt.Sprintf("a value of our own is not JSON: %v", err))
			}
			return json.RawMessage(fmt.Sprintf(form, inner))
		}
	}
	return []Value{
		{Description: "in an array", Apply: in("[%s]")},
		{Description: "in an object", Apply: in(`{"v": %s}`)},
	}
}

// DigitsOfScript returns a function that replaces ASCII digits with those of a script, given by
// its zero.
func DigitsOfScript(zero rune) func(string) string { return shiftCharacters('0', '9', zero) }

// shiftCharacters returns a function that replaces the characters from ... to with the range
// that begins at first.
func shiftCharacters(from, to, first rune) func(string) string {
	return func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= from && r <= to {
				return r - from + first
			}
			return r
		}, s)
	}
}

// withLookAlikes replaces digits with those of another script, or else Latin letters with
// Cyrillic ones.
func withLookAlikes(s string) string {
	if strings.ContainsAny(s, "0123456789") {
		return DigitsOfScript('\u0660')(s)
	}
	return strings.NewReplacer("A", "А", "E", "Е", "O", "О", "T", "Т", "C", "С", "a", "а", "c",
		"с", "e", "е").Replace(s)
}
