package client

import (
	"context"
	"errors"
	"net/http"
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

func TestAFetchEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404); cancel() })
	dep := testDeployment(url)
	dep.Export.File = offering(false, "")
	dep.Export.File.Timeout = time.Hour
	c := newClient(t, dep, Options{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		if _, err := c.FetchFile(ctx, "id", nil, FetchOptions{}); err == nil {
			t.Error("fetched")
		}
	}()
	within(t, "the end of the fetch", done)
}

func TestAFileIsCountedWhileItIsAwaited(t *testing.T) {
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
		_, _ = c.FetchFile(ctx, "id", nil, FetchOptions{})
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
