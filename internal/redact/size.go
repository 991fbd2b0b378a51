package redact

import (
	"bytes"
	"unicode/utf8"
)

// DeepestJSON is how many levels of JSON are read.
const DeepestJSON = 100

// Shallow reports JSON, or what was meant to be, that is not nested deeper than anything that a person wrote.
func Shallow(b []byte) bool {
	depth, text := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == '\\' && text:
			i++
		case c == '"':
			text = !text
		case text:
		case c == '{' || c == '[':
			if depth++; depth > DeepestJSON {
				return false
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return true
}

// CutTo is a copy of the beginning of a text, never cut within a character.
func CutTo(b []byte, most int) (kept []byte, short bool) {
	if len(b) <= most {
		return b, false
	}
	cut := most
	for cut > most-utf8.UTFMax && !utf8.RuneStart(b[cut]) {
		cut--
	}
	return bytes.Clone(b[:cut]), true
}
