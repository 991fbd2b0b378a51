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
	send := func() *Exchange { return c.SendOnce(t.Context(), &Request{Operation: OperationExport}) }
	for range 3 {
		if x := send(); x.Err != nil {
			t.Fatal(x.Err)
		}
	}
	testmust.Get(c.FetchFile(t.Context(), "1", nil, FetchOptions{}))(t)
	race := c.SendConcurrently(t.Context(),
		[]*Request{
			{Operation: OperationExport},
			{Operation: OperationExport},
			{Operation: OperationExport},
		})
	if len(race) > 0 && race[0].Err == nil {
		t.Errorf("a race of three was sent where two requests were left: %d answers", len(race))
	}
	if x := send(); x.Err != nil {
		t.Errorf("the fourth request: %v", x.Err)
	}
	if x := send(); x.Err != nil {
		t.Errorf("the fifth request: %v", x.Err)
	}
	if x := send(); x.Err == nil || x.Err.Kind != TroubleMaxRequests || x.Seq != 0 {
		t.Errorf("the sixth request: %v", x)
	}
	if n := c.Stats().Sent; n != 6 {
		t.Errorf("%d requests were sent", n)
	}
}
