package printable

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON returns a value as indented JSON with a newline at its end. It escapes control characters
// from U+007F on, which encoding/json does not.
func JSON(v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, err
	}
	acts := func(r rune) bool { return r != '\n' && isUnsafe(r) }
	if bytes.IndexFunc(data, acts) < 0 {
		return append(data, '\n'), nil
	}
	out := make([]byte, 0, len(data)+64)
	for rest := data; len(rest) > 0; { // only strings can contain them, so escapes are equivalent
		r, size := utf8.DecodeRune(rest)
		switch high, low := utf16.EncodeRune(r); {
		case !acts(r):
			out = append(out, rest[:size]...)
		case r > 0xffff:
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		rest = rest[size:]
	}
	return append(out, '\n'), nil
}
