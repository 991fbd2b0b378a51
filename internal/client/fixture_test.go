package client

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/testmust"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	testToken = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ0ZXN0LXVzZXItMTIzNDU2In0.s1gnatureS1gnatureS1gnature_-x"
	testKey   = "k3y/with+odd=chars&more%"
	testOther = "other-user-secret-value"
)

func testDeployment(base string) *deployment.File {
	return &deployment.File{
		BaseURL: base,
		Credentials: deployment.Credentials{
			PlatformToken: &deployment.Credential{
				Name: "platform_token", Method: deployment.AuthBearer, Value: testToken,
			},
			APIKey: &deployment.Credential{Name: "api_key", Method: deployment.AuthAPIKey, Value: testKey},
			OtherUser: &deployment.Credential{
				Name: "other_user", Method: deployment.AuthBearer, Value: testOther,
			},
		},
		Limits: deployment.Limits{InFlight: 16, Timeout: 20 * time.Second, MaxCreates: 80},
	}
}

// sink collects the exchanges that a client reports, which it does one after the other.
type sink []*Exchange

func (s *sink) take(x *Exchange) { *s = append(*s, x) }

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func newClient(t *testing.T, dep *deployment.File, o Options) *Client {
	t.Helper()
	c := testmust.Get(New(dep, o))(t)
	t.Cleanup(c.Close)
	return c
}

// clientOf returns a client of a server with a handler.
func clientOf(t *testing.T, o Options, h http.HandlerFunc) *Client {
	t.Helper()
	return newClient(t, testDeployment(serve(t, h)), o)
}

func get(path string) *Request {
	return &Request{Label: "a request", Operation: "other", Method: http.MethodGet, Path: path}
}

func post(body string) *Request {
	return &Request{
		Label: "a post", Operation: OperationExport, Path: "/x", Body: []byte(body),
		Header: http.Header{"content-type": {"application/json"}},
	}
}

func within(t *testing.T, what string, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Error("never happened: " + what) // Error, not Fatal: a server's goroutine may call this
	}
}
