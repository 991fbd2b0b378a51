// Package invalidvalues spoils right values, and says of values that came back how they were
// altered. Each class is a kind of wrong value that programs take for a right one more easily than
// their authors think; it is written once, and suites apply it to the fields of their operation.
package invalidvalues

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Value spoils the right value of a field.
type Value struct {
	Description     string // "in an array"
	Apply           func(right any) any
	Recoverable     bool // who takes what was added off again keeps a right value
	LooksLikeAttack bool // web firewalls take it for one, and stop it with a status of their own
}

// ReplaceWithJSON is a value of any JSON type, as it is written.
func ReplaceWithJSON(text string) func(any) any {
	return func(any) any { return json.RawMessage(text) }
}

// ChangeText is a change of a text.
func ChangeText(spoil func(string) string) func(any) any {
	return func(right any) any { return spoil(fmt.Sprint(right)) }
}

// markAttacks marks a class.
func markAttacks(class []Value) []Value {
	for i := range class {
		class[i].LooksLikeAttack = true
	}
	return class
}

// MultiLineTexts is a right value and more, on two lines. A line end is a control character, too.
func MultiLineTexts() []Value {
	return markAttacks([]Value{
		{
			Description: "with more on a second line",
			Apply:       ChangeText(func(s string) string { return s + "\nx" }),
		},
		{
			Description: "on the second line",
			Apply:       ChangeText(func(s string) string { return "x\n" + s }),
		},
		{
			Description: "with a line end behind it",
			Apply:       ChangeText(func(s string) string { return s + "\n" }),
			Recoverable: true,
		},
	})
}

// ControlCharacters stand in a right value, or behind it.
func ControlCharacters() []Value {
	return markAttacks([]Value{
		{
			Description: "with a NUL behind it",
			Apply:       ChangeText(func(s string) string { return s + "\x00" }),
			Recoverable: true,
		},
		{
			Description: "with a NUL and more behind it",
			Apply:       ChangeText(func(s string) string { return s + "\x00x" }),
		},
		{
			Description: "with a BEL in it",
			Apply:       ChangeText(func(s string) string { return s[:len(s)/2] + "\a" + s[len(s)/2:] }),
			Recoverable: true,
		},
	})
}

// EmailHeaderInjections are what puts further headers into a message.
func EmailHeaderInjections() []Value {
	return markAttacks([]Value{
		{
			Description: "with more on a second line",
			Apply:       ChangeText(func(s string) string { return s + "\nBcc: x@example.com" }),
		},
		{
			Description: "with a line end behind it",
			Apply:       ChangeText(func(s string) string { return s + "\n" }),
			Recoverable: true,
		},
		{
			Description: "with a NUL in it",
			Apply:       ChangeText(func(s string) string { return s[:4] + "\x00" + s[4:] }),
			Recoverable: true,
		},
	})
}

// NonASCIIDigits are those of other scripts.
func NonASCIIDigits() []Value {
	return []Value{
		{Description: "in Arabic digits", Apply: ChangeText(DigitsOfScript('\u0660')), Recoverable: true},
		{
			Description: "in full-width digits",
			Apply:       ChangeText(DigitsOfScript('\uff10')),
			Recoverable: true,
		},
		{
			Description: "in Devanagari digits",
			Apply:       ChangeText(DigitsOfScript('\u0966')),
			Recoverable: true,
		},
		{
			Description: "with a superscript for its last digit", Recoverable: true,
			Apply: ChangeText(func(s string) string {
				last := len(s) - 1
				return s[:last] + string([]rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[s[last]-'0'])
			}),
		},
	}
}

// LookAlikeCharacters are characters that only look like those of ASCII.
func LookAlikeCharacters() []Value {
	return []Value{
		{
			Description: "in full-width characters",
			Apply:       ChangeText(shiftCharacters('!', '~', '\uff01')),
			Recoverable: true,
		},
		{
			Description: "in Arabic digits, or with a Cyrillic letter",
			Apply:       ChangeText(withLookAlikes),
			Recoverable: true,
		},
	}
}

// WrappedInJSON is a right value inside an array or an object.
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

// DigitsOfScript writes each digit as that of another script, whose zero is given.
func DigitsOfScript(zero rune) func(string) string { return shiftCharacters('0', '9', zero) }

// shiftCharacters writes the characters of a range as those of another one, whose first is given.
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

// withLookAlikes has digits of another script, or else Cyrillic letters in place of Latin ones.
func withLookAlikes(s string) string {
	if strings.ContainsAny(s, "0123456789") {
		return DigitsOfScript('\u0660')(s)
	}
	return strings.NewReplacer("A", "А", "E", "Е", "O", "О", "T", "Т", "C", "С", "a", "а", "c",
		"с", "e", "е").Replace(s)
}
