package redact

import (
	"bytes"
	"unicode/utf8"

	"github.com/gateassay/gateassay/internal/runfolder"
)

// MaxJSONDepth is the maximum nesting of JSON that is parsed.
const MaxJSONDepth = 100

// IsShallowJSON reports whether JSON, valid or not, is nested at most MaxJSONDepth levels deep.
func IsShallowJSON(b []byte) bool {
	depth, _, _ := runfolder.MeasureJSON(b)
	return depth <= MaxJSONDepth
}

// CopyPrefix returns the first most bytes of a text, without cutting a character.
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
