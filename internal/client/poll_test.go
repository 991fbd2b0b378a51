package client

import (
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
)

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
