package client

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Where files take long, a few fetches find out how long, and the others wait for that.
func TestSlowFilesArePolledLittle(t *testing.T) {
	const files, takes = 20, 300 * time.Millisecond
	var polls atomic.Int64
	var begun sync.Map
	c := clientOf(t, Options{RequestsPerSecond: 1000}, func(w http.ResponseWriter, r *http.Request) {
		polls.Add(1)
		at, _ := begun.LoadOrStore(r.URL.Path, time.Now())
		if time.Since(at.(time.Time)) < takes {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		_, _ = w.Write([]byte(csv))
	})
	c.dep.Export.File = retrieval(false, "")
	fetch := func(i int) {
		f, err := c.FetchWith(t.Context(), fmt.Sprint(i), nil, FetchOptions{})
		if err != nil || f.Took < takes {
			t.Errorf("file %d: %v after %s", i, err, f.Took)
		}
	}
	var all sync.WaitGroup
	for i := range files {
		all.Go(func() { fetch(i) })
	}
	all.Wait()
	if n := polls.Load(); n > 100 {
		t.Errorf("%d polls of %d files", n, files)
	}
	before := polls.Load()
	fetch(files)
	if n := polls.Load() - before; n > 3 {
		t.Errorf("%d polls of a file when it was known how long they take", n)
	}
}
