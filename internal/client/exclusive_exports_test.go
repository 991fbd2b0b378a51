package client

import (
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
)

// An export that is sent while exports are held back arrives after all of the holder, and a
// creation arrives meanwhile.
func TestHeldExportsWaitForTheHolderAndNothingElseDoes(t *testing.T) {
	var mu sync.Mutex
	var arrived []string
	c := clientOf(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		arrived = append(arrived, r.URL.Path)
		w.WriteHeader(http.StatusOK)
	})
	request := func(path string, op Operation) *Request {
		return &Request{Label: path, Operation: op, Method: http.MethodPost, Path: path}
	}
	own, release, err := c.HoldExports(t.Context())
	testmust.Get(own, err)(t)
	var others sync.WaitGroup
	others.Go(func() { c.SendOnce(t.Context(), request("/held", OperationExport)) })
	others.Go(func() {
		c.SendConcurrently(t.Context(), []*Request{
			request("/race", OperationExport), request("/race", OperationExport),
		})
	})
	time.Sleep(20 * time.Millisecond) // they would arrive by then
	c.SendOnce(t.Context(), request("/create", OperationCreate))
	c.SendOnce(own, request("/own", OperationExport))
	release()
	others.Wait()
	slices.Sort(arrived[2:])
	if want := []string{"/create", "/own", "/held", "/race", "/race"}; !slices.Equal(arrived, want) {
		t.Errorf("the requests arrived as %q, expected %q", arrived, want)
	}
	again, done, err := c.HoldExports(t.Context())
	testmust.Get(again, err)(t)
	done()
}
