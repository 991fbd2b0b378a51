package har

import (
	"io"
	"strings"
	"testing"
)

// endless repeats a text forever and counts the bytes read.
type endless struct {
	text  string
	bytes int
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for n+len(e.text) <= len(p) {
		n += copy(p[n:], e.text)
	}
	e.bytes += n
	return n, nil
}

// The decoder buffers an entry until it is complete, so the length of entries must be bounded.
func TestWhatIsReadOfAStrangersFileIsBounded(t *testing.T) {
	const head, entry = `{"log":{"entries":[`, `{"_seq":1,"request":{"url":"`
	for name, c := range map[string]struct {
		head, text string
		visited    int
		most       int // bytes
	}{
		"spaces":           {"", " ", 0, maxEntryBytes},
		"a text":           {head + entry, "x", 0, 2 * maxEntryBytes},
		"lists":            {head + `{"_seq":[`, "[", 0, 2 * maxEntryBytes},
		"an entry, a text": {head + entry + `"}},` + entry, "x", 1, 3 * maxEntryBytes},
		"entries":          {head, "{},", maxEntries, 4 * maxEntries},
	} {
		rest := &endless{text: c.text}
		visited := 0
		Read(io.MultiReader(strings.NewReader(c.head), rest), func(*Entry) { visited++ })
		if visited != c.visited || rest.bytes > c.most {
			t.Errorf("%s: %d entries and %d bytes were read, expected %d and at most %d", name, visited,
				rest.bytes,
				c.visited, c.most)
		}
	}
}
