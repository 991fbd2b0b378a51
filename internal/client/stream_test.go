package client

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// longFile writes a file of some lines, longer than an answer that is held in memory.
func longFile(w io.Writer, lines int, line string) {
	for range lines {
		if _, err := io.WriteString(w, line); err != nil {
			return
		}
	}
}

func serving(t *testing.T, h http.HandlerFunc) (*Client, *sink) {
	t.Helper()
	dep := testDeployment(serve(t, h))
	dep.Export.File = &deployment.Retrieval{Request: "GET /f/{file_id}", Timeout: 20 * time.Second}
	var seen sink
	return newClient(t, dep, Options{OnExchange: seen.take}), &seen
}

func TestALongFileIsReadAsItArrives(t *testing.T) {
	const line, lines = "0123456789abcdef0123456789abcde\n", 100_000
	var asked atomic.Int64
	for _, packed := range []bool{false, true} {
		asked.Store(0)
		c, seen := serving(t, func(w http.ResponseWriter, _ *http.Request) {
			if asked.Add(1) == 1 { // breaks off beyond maxAnswerBytes: the file is read again
				longFile(w, lines/2, line)
				panic(http.ErrAbortHandler)
			}
			if !packed {
				longFile(w, lines, line)
				return
			}
			z := gzip.NewWriter(w)
			longFile(z, lines, line)
			_ = z.Close()
		})
		read := int64(0)
		got, err := c.FetchFile(t.Context(), "id", nil,
			FetchOptions{Read: func(r io.Reader) (err error) {
				read, err = io.CopyBuffer(struct{ io.Writer }{io.Discard}, r, make([]byte, 1000))
				return err
			}})
		if err != nil || read != int64(lines*len(line)) || got.Size != read || got.Cut {
			t.Fatalf("%d bytes, %+v, %v", read, got.Size, err)
		}
		x := (*seen)[1]
		if len(x.Body) > recordedFileBytes || !packed &&
			(x.Size != got.Size ||
				!strings.HasSuffix(x.Recorded.Comment, ", all but the first line left out")) {
			t.Errorf("%d bytes are held of %d: %s", len(x.Body), x.Size, x.Recorded.Comment)
		}
	}
}

func TestFilesBeyondTheLimit(t *testing.T) {
	c, _ := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		z := gzip.NewWriter(w)
		longFile(z, 8<<10, strings.Repeat(" ", 1<<10))
		_ = z.Close()
	})
	c.deployment.Limits.MaxFile = 4
	_, err := c.FetchFile(t.Context(), "id", nil, FetchOptions{})
	var e *FetchError
	if !errors.As(err, &e) || e.Failure != FetchUnusableAnswer ||
		e.Detail != "the file is longer than 4 MiB (limits.max_file_mib)" {
		t.Fatal(err)
	}
}

func TestWhatIsRecordedIsBounded(t *testing.T) {
	body := `{"id":"x","list":[` + strings.Repeat(`"0123456789",`, 5000) + `1]}`
	c := clientOf(t, Options{},
		func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
	r := c.SendOnce(t.Context(), post("{}")).Recorded
	if len(r.ResponseBody) > maxRecordedBytes || len(r.ResponseBody) < maxRecordedBytes-100 ||
		!strings.HasPrefix(body, string(r.ResponseBody)) ||
		!strings.HasSuffix(r.Comment, fmt.Sprintf("of %d bytes of the answer", len(body))) {
		t.Errorf("%d bytes: %s", len(r.ResponseBody), r.Comment)
	}
}
