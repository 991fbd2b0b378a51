package printable

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
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
	var out bytes.Buffer
	for _, r := range string(data) { // only strings can contain them, so escapes are equivalent
		if !acts(r) {
			out.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&out, `\u%04x`, unit)
		}
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}
