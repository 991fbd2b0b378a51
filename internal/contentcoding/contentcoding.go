// Package contentcoding decodes answers that are compressed although nobody asked for it, which RFC
// 9110, section 12.5.3, allows: some proxies compress what passes through.
package contentcoding

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
)

// Decode returns the content of a body with this Content-Encoding. Some proxies decompress what was
// stored as .gz and leave its header, so plain content is accepted, too.
func Decode(raw io.Reader, coding string) (io.Reader, error) {
	switch coding := strings.ToLower(coding); coding {
	case "", "identity":
		return raw, nil
	case "gzip", "x-gzip":
		plain, _, err := GunzipIfNeeded(raw)
		return plain, err
	default:
		return nil, fmt.Errorf(
			"the answer has Content-Encoding %q although none was requested; only gzip is supported",
			coding)
	}
}

// GunzipIfNeeded decompresses gzip and passes other data through.
func GunzipIfNeeded(raw io.Reader) (plain *bufio.Reader, packed bool, err error) {
	in := bufio.NewReaderSize(raw, 64<<10)
	if head, _ := in.Peek(3); !IsGzip(head) {
		return in, false, nil
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, true, DamagedError(err)
	}
	return bufio.NewReaderSize(z, 64<<10), true, nil
}

// IsGzip reports whether data begins as gzip does.
func IsGzip(b []byte) bool { return len(b) > 2 && b[0] == 0x1f && b[1] == 0x8b }

// DamagedError returns the error of a body that breaks off or is no valid gzip.
func DamagedError(err error) error { return fmt.Errorf("damaged gzip data: %w", err) }
