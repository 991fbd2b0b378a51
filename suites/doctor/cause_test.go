package doctor_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/doctor"
)

// What keeps everything from being tested is said once, with the next step.
func TestTheOneCauseIsNamed(t *testing.T) {
	always := func(status int, wait string) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if status == 0 {
				// Only behind the body does a server notice that the client has gone.
				_, _ = io.Copy(io.Discard, r.Body)
				<-r.Context().Done()
				return
			}
			if wait != "" {
				w.Header().Set("Retry-After", wait)
			}
			w.WriteHeader(status)
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	for name, c := range map[string]struct {
		address, proxy string
		cause, next    string
	}{
		"throttled":       {always(http.StatusTooManyRequests, "60"), "", "throttles the first request", "try again later"},
		"asks to wait":    {always(http.StatusServiceUnavailable, "60"), "", "asks to come again later", "try again later"},
		"out of order":    {always(http.StatusBadGateway, ""), "", "is out of order", "look at its logs"},
		"silent":          {always(0, ""), "", "No answer from http://127.0.0.1", "raise limits.timeout"},
		"unknown host":    {"http://gateway.invalid", "", "The host gateway.invalid is not known", "check base_url"},
		"no proxy":        {"http://127.0.0.1:8", "http://127.0.0.1:9", "No connection to the proxy", "check proxy"},
		"nothing listens": {"http://127.0.0.1:9", "", "No connection to http://127.0.0.1:9", "the port of base_url"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			r := examine(t, reference.Options{Seed: 1}, func(d *deployment.File) {
				d.BaseURL, d.Proxy, d.Limits.Timeout = c.address, c.proxy, time.Second
			})
			if o := r.Obstacle; o == nil || !strings.Contains(o.Cause, c.cause) || !strings.Contains(o.Next, c.next) {
				t.Errorf("%+v", o)
			}
			if took := time.Since(began); took > 8*time.Second { // a second or four of which are meant
				t.Errorf("it took %s", took)
			}
		})
	}
}

// A field that does not come back under a name that the file gives is in doubt.
func TestNamesThatTheDeploymentIgnoresAreInDoubt(t *testing.T) {
	flat, err := reference.FindVariant("flat") // its file gives names
	if err != nil {
		t.Fatal(err)
	}
	for want, faults := range map[string][]string{
		"": nil, "legal_representative.fields.phone_number": {"create.success.field_missing"},
	} {
		got := ""
		for _, f := range examine(t, reference.Options{Seed: 1, Faults: faults, Choices: flat.Choices}, nil).Findings {
			if f.State == doctor.Warning && strings.HasPrefix(f.Name, "legal_representative.fields.") {
				got += f.Name
			}
		}
		if got != want {
			t.Errorf("%v: %s", faults, got)
		}
	}
}
