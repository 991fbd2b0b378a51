package archive_test

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/archive"
)

func TestVerifySaysWhatIsWrong(t *testing.T) {
	for i, f := range formats {
		noise := make([]byte, 600_000) // more than one block of a compressed file
		_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
		dir := folder(t, map[string]string{"run.json": "{}", "journal.ndjson": string(noise)})
		good := content(t, pack(t, dir, f))
		other := content(t, pack(t, dir, formats[1-i]))
		altered, unsealed := bytes.Clone(good), bytes.Clone(good)
		altered[len(good)/2] ^= 1
		unsealed[len(good)-15] ^= 1
		for name, c := range map[string]struct {
			data []byte
			want string
		}{
			"cut":             {good[:len(good)/2], "it is cut off: "},
			"cut in the seal": {good[:len(good)-1], "it is cut off: "},
			"altered":         {altered, "it was altered: journal.ndjson"},
			"seal altered":    {unsealed, "its files match its manifest"},
			"padded":          {append(bytes.Clone(good), make([]byte, 100)...), "it has 100 extra bytes after its end"},
			"padded much":     {append(bytes.Clone(good), make([]byte, 3<<20)...), "it has 3145728 extra bytes after its end"},
			"empty":           {nil, "it is empty"},
			"no archive":      {[]byte(strings.Repeat("some text, ", 50)), "does not begin like a"},
			"other format":    {other, "its content is that of a " + string(formats[1-i])},
		} {
			path := write(t, filepath.Join(t.TempDir(), "bad"+string(f)), c.data)
			if _, err := archive.Verify(path); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: %v", f, name, err)
			}
		}
	}
}
