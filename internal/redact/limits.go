package redact

import (
	"bytes"
	"unicode/utf8"

	"github.com/gateassay/gateassay/internal/runfolder"
)

// MaxJSONDepth is how many levels of JSON are read.
const MaxJSONDepth = 100

// IsShallowJSON reports JSON, or what was meant to be, that is not nested deeper than anything that
// a person wrote.
func IsShallowJSON(b []byte) bool {
	depth, _, _ := runfolder.MeasureJSON(b)
	return depth <= MaxJSONDepth
}

// CopyPrefix is a copy of the beginning of a text, never cut within a character.
func CopyPrefix(b []byte, most int) (kept []byte, short bool) {
	if len(b) <= most {
		return b, false
	}
	cut := most
	for cut > most-utf8.UTFMax && !utf8.RuneStart(b[cut]) {
		cut--
	}
	return bytes.Clone(b[:cut]), true
}
