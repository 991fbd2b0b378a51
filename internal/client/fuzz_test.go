package client

import (
	"net/http"
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
