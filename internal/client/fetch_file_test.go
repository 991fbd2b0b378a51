package client

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/testmust"
)

const csv = "id;client_id\n1;somebody private\n2;somebody else\n"

func offering(state bool, url string) *deployment.Retrieval {
	r := &deployment.Retrieval{
		Request: "GET /v1/files/{file_id}?of={file_id}", Headers: map[string]string{"nonce": "{uuid}"},
		URL: url, Timeout: 20 * time.Second,
	}
	if state {
		r.State = &deployment.FileState{
			Pointer: "/state/na~1me", Ready: []string{"READY"}, Failed: []string{"ERROR"},
		}
	}
	return r
}

func authorized(r *http.Request) bool {
	return r.Header.Get("Authorization") == "Bearer "+testToken
}

func short() *deployment.Retrieval {
	r := offering(false, "")
	r.Timeout = 300 * time.Millisecond
	return r
}

// A file is counted while it is awaited, which ends with the context.
func TestAFetchEndsWithItsContext(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) })
	dep := testDeployment(url)
	dep.Export.File = offering(false, "")
	dep.Export.File.Timeout = time.Hour
	c := newClient(t, dep, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		if _, err := c.FetchFile(ctx, "id", nil, FetchOptions{}); err == nil {
			t.Error("fetched")
		}
	}()
	for end := time.Now().Add(time.Minute); c.Stats().Awaited != 1; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it is not counted")
		}
	}
	cancel()
	within(t, "the end of the fetch", done)
	testmust.Equal(t, c.Stats().Awaited, 0, "files are awaited after the end of the fetch")
}

func TestAFileThatIsNowhereIsNotWaitedForTooLong(t *testing.T) {
	for status, patient := range map[int]bool{404: false, 204: false, 409: true, 202: true} {
		url := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		dep := testDeployment(url)
		dep.Export.File = offering(false, "")
		dep.Export.File.Timeout = 400 * time.Millisecond
		c := newClient(t, dep, Options{})
		var e *FetchError
		got, err := c.FetchFile(t.Context(), "id", nil,
			FetchOptions{NotFoundTimeout: func() time.Duration { return 100 * time.Millisecond }})
		if !errors.As(err, &e) || e.Failure != FetchNotReady || e.Status != status ||
			(got.Took >= dep.Export.File.Timeout) != patient {
			t.Errorf("%d: after %s: %v", status, got.Took, err)
		}
	}
}

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
		if len(x.Body) > recordedFileBytes || !packed && (x.Size != got.Size ||
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

func TestReachingAFileAsSomebodyElse(t *testing.T) {
	for name, tc := range map[string]struct {
		gateway http.HandlerFunc
		conf    *deployment.Retrieval
		want    string // path that answers last
	}{
		"a redirect elsewhere": {
			conf: offering(false, ""), want: "/cdn",
			gateway: func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, r.URL.Query().Get("cdn")+"/cdn", http.StatusFound)
			},
		},
		"an address elsewhere": {
			conf: offering(true, "/url"), want: "/cdn",
			gateway: func(w http.ResponseWriter, r *http.Request) {
				asked{ResponseWriter: w}.state("READY", r.URL.Query().Get("cdn")+"/cdn")
			},
		},
		"a refusal": {
			conf:    offering(true, "/url"),
			gateway: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			var there atomic.Int64
			cdn := serve(t, func(_ http.ResponseWriter, r *http.Request) {
				there.Add(1)
				testmust.Equal(t, r.Header.Get("Authorization"), "")
				testmust.Equal(t, r.Header.Get("nonce"), "")
			})
			dep := testDeployment(serve(t, tc.gateway))
			dep.Export.File = tc.conf
			dep.Export.File.Request += "&cdn=" + cdn
			_, x, elsewhere := newClient(t, dep, Options{}).FetchWithoutPolling(t.Context(), "id",
				dep.Credentials.OtherUser)
			if elsewhere != (tc.want != "") || elsewhere != (there.Load() == 1) ||
				x.IsSuccess() != elsewhere {
				t.Errorf("%v, %d, elsewhere %v", x, x.Status, elsewhere)
			}
		})
	}
}

// TestSlowFilesArePolledLittle checks that a file which takes a minute is polled about thirty
// times, and hardly more than once if that is known: again at half that time.
func TestSlowFilesArePolledLittle(t *testing.T) {
	c := newClient(t, testDeployment("http://127.0.0.1:1"), Options{})
	polls := func(takes time.Duration) (n int) {
		for at := time.Duration(0); at < takes; at += c.pollPause(at) {
			n++
		}
		return n
	}
	if n := polls(time.Minute); n < 10 || n > 40 {
		t.Errorf("%d polls", n)
	}
	c.recordReadyTime(time.Minute)
	c.recordReadyTime(2 * time.Minute)
	testmust.Equal(t, polls(time.Minute), 2, "polls where it is known how long files take")
	c.recordReadyTime(time.Second)
	testmust.Equal(t, polls(time.Second), 1, "polls of quick files")
}
