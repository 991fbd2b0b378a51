package runfolder

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// StripBOM returns a text as UTF-8 without a byte order mark. It decodes UTF-16 with a byte order
// mark.
func StripBOM(data []byte) ([]byte, error) {
	text, _, err := transform.Bytes(unicode.BOMOverride(transform.Nop), data)
	if err == nil && (!utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0) {
		err = errors.New("it is neither UTF-8 text, nor UTF-16 with a byte order mark; save it as UTF-8")
	}
	return text, err
}
