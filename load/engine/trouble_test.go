package engine_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/judge"
)

// If nobody listens, each result says so, and no repeat is sent of an original that was not
// accepted within a second.
func TestAFailureIsInTheResult(t *testing.T) {
	for _, name := range both {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, sink := options(t, "http://127.0.0.1:1", constant(t, 100, 1300*time.Millisecond), 0.5)
			o.Engine = name
			sum := run(t, t.Context(), o)
			for _, r := range sink.all {
				v := r.Judgement
				if v.Class != judge.ClassTransportError || v.Failure != judge.FailureRefused ||
					r.Request.Repeat && r.Request.Expect != judge.ExpectEither {
					t.Errorf("%+v", r)
				}
			}
			if len(sink.all) != 130 || sum.SkippedRepeats == 0 {
				t.Errorf("%d results, %+v", len(sink.all), sum)
			}
		})
	}
}

// An answer is read up to 64 KiB, and takes no more memory than reading that needs.
func TestAnAnswerWithoutEndIsTooLong(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for piece := make([]byte, 64<<10); ; {
			if _, err := w.Write(piece); err != nil {
				return // the connection was closed
			}
		}
	}))
	defer srv.Close()
	for _, name := range both {
		o, sink := options(t, srv.URL, constant(t, 300, 200*time.Millisecond), 0)
		o.Engine = name
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		run(t, t.Context(), o)
		runtime.ReadMemStats(&after)
		for _, r := range sink.all {
			testmust.Equal(t, r.Judgement.Failure, judge.FailureProtocol, name, r)
		}
		if each := (after.TotalAlloc - before.TotalAlloc) / 60; len(sink.all) != 60 || each > 1<<20 {
			t.Errorf("%s: %d results, %d bytes for each", name, len(sink.all), each)
		}
	}
}

// No compression is requested, but RFC 9110 allows any: gzip is read, and what cannot be read is no
// violation.
func TestACompressedAnswerIsReadAsItsContent(t *testing.T) {
	pack := func(text []byte) []byte {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, _ = z.Write(text)
		_ = z.Close()
		return packed.Bytes()
	}
	accepted := []byte(`{"file_id":"a","file_state":{},"created_at":"2025-03-01T12:00:00Z"}`)
	for what, c := range map[string]struct {
		coding string
		body   []byte
		class  judge.Class
	}{
		"gzip":        {"gzip", pack(accepted), judge.ClassAccepted},
		"only header": {"GZIP", accepted, judge.ClassAccepted},
		"identity":    {"identity", accepted, judge.ClassAccepted},
		"unknown":     {"br", accepted, judge.ClassTransportError},
		"damaged":     {"gzip", pack(accepted)[:40], judge.ClassTransportError},
		"a bomb":      {"gzip", pack(make([]byte, 10<<20)), judge.ClassTransportError},
	} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", c.coding)
			_, _ = w.Write(c.body)
		}))
		for _, name := range both {
			o, sink := options(t, srv.URL, constant(t, 100, 100*time.Millisecond), 0)
			o.Engine = name
			run(t, t.Context(), o)
			for i, r := range sink.all { // later ones are given the file ID of the first
				if i == 0 || c.class != judge.ClassAccepted {
					testmust.Equal(t, r.Judgement.Class, c.class, what, name)
				}
			}
			testmust.Equal(t, len(sink.all), 10)
		}
		srv.Close()
	}
}
