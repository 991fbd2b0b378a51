package target_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/target"
)

func TestClock(t *testing.T) {
	sent := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for date, want := range map[string]time.Time{
		"Fri, 02 Jan 2026 10:00:00 GMT": time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC),
		"":                              sent.Add(2 * time.Second),
		"yesterday":                     sent.Add(2 * time.Second),
	} {
		x := &client.Exchange{StartedAt: sent, Service: 2 * time.Second, Header: http.Header{"Date": {date}}}
		if got := target.Clock(x); !got.Equal(want) {
			t.Errorf("Date %q: %s, want %s", date, got, want)
		}
	}
	if got := target.Clock(&client.Exchange{StartedAt: sent}); !got.Equal(sent) {
		t.Errorf("no answer: %s", got)
	}
	// The nearest zones are an hour apart, and some are half an hour off the others.
	if target.Tolerance <= 0 || target.Tolerance > 30*time.Minute {
		t.Errorf("a tolerance of %s hides a mistaken zone", target.Tolerance)
	}
}
