package client

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

// FuzzRetryAfter checks that every Retry-After yields a bounded wait.
func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{
		"1", "0.5", "-1", "nan", "Inf", "1e999", "0x1p4", "Fri, 31 Dec 1999 23:59:59 GMT", "soon",
	} {
		f.Add(s, "")
		f.Add(s, "Sun, 06 Nov 1994 08:49:37 GMT")
	}
	f.Fuzz(func(t *testing.T, after, date string) {
		got := retryAfter(http.Header{"Retry-After": {after}, "Date": {date}}, time.Unix(1e9, 0))
		if got != -1 && (got < 0 || got > 1e6*time.Second) {
			t.Errorf("%q at %q: %s", after, date, got)
		}
	})
}

// FuzzLookup checks that every value of an answer is found at its pointer, and that no pointer
// panics.
func FuzzLookup(f *testing.F) {
	f.Add([]byte(`{"a/b":[{"m~n":null},1e400,"x"],"":{"":false}}`), "/a~1b/0/m~0n")
	f.Add([]byte(`[[],{"0":[1]}]`), "/1/0/00")
	f.Add([]byte(`{"url":1}`), "url/~2")
	f.Fuzz(func(t *testing.T, text []byte, pointer string) {
		var doc any
		_ = json.Unmarshal(text, &doc)
		if v, found := LookupPointer(doc, pointer); found && fileStateText(v) == "" && v != "" {
			t.Errorf("%s at %q: %v says nothing", text, pointer, v)
		}
		left := 1000
		var all func(at any, pointer string)
		all = func(at any, pointer string) {
			if left--; left < 0 {
				return
			}
			if got, found := LookupPointer(doc, pointer); !found || !reflect.DeepEqual(got, at) {
				t.Fatalf("%s at %q: %v, %v", text, pointer, got, found)
			}
			switch at := at.(type) {
			case map[string]any:
				for name, v := range at {
					all(v, pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
				}
			case []any:
				for i, v := range at {
					all(v, pointer+"/"+strconv.Itoa(i))
				}
			}
		}
		all(doc, "")
	})
}
