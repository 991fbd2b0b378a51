package client

import (
	"net/http"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

// TestRequestsAreBounded checks that a run sends no more than MaxRequests and says so. Polls
// for files do not count.
func TestRequestsAreBounded(t *testing.T) {
	c := clientOf(t, Options{MaxRequests: 5}, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(csv))
	})
	c.deployment.Export.File = offering(false, "")
	export := &Request{Operation: OperationExport}
	send := func(times int) {
		t.Helper()
		for range times {
			if x := c.SendOnce(t.Context(), export); x.Err != nil {
				t.Error(x.Err)
			}
		}
	}
	send(3)
	testmust.Get(c.FetchFile(t.Context(), "1", nil, FetchOptions{}))(t)
	race := c.SendConcurrently(t.Context(), []*Request{export, export, export})
	if race[0].Err == nil {
		t.Errorf("a race of three was sent where two requests were left: %d answers", len(race))
	}
	send(2)
	x := c.SendOnce(t.Context(), export)
	if x.Err == nil || x.Err.Kind != TroubleMaxRequests || x.Seq != 0 {
		t.Errorf("the sixth request: %v", x)
	}
	testmust.Equal(t, c.Stats().Sent, 6, "requests were sent")
}
