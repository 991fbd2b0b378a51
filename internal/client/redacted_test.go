package client

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestLeaksNameTheCredential(t *testing.T) {
	answer := ""
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/header" {
			w.Header().Set("X-Debug", "key="+testKey)
		}
		_, _ = io.WriteString(w, answer)
	})
	c := newClient(t, testDeployment(server), Options{})
	for _, tc := range []struct{ path, answer, want string }{
		{"/", "nothing", ""},
		{"/", "sig " + strings.Split(testToken, ".")[2], "platform_token"},
		{"/header", "", "api_key"},
		{"/?access_token=" + testToken, `{"self": "/?access_token=` + testToken + `"}`, ""},
		{"/header", testToken + "other-user-secret-value", "api_key other_user platform_token"},
	} {
		answer = tc.answer
		if x := c.SendOnce(t.Context(), get(tc.path)); strings.Join(x.Leaks, " ") != tc.want {
			t.Errorf("%q: %v", tc.answer, x.Leaks)
		}
	}
}

// The parts of a field's path are names, whatever characters they have.
func TestSummaryFindsFieldsByName(t *testing.T) {
	c := clientOf(t, Options{}, func(http.ResponseWriter, *http.Request) {})
	r := post(`{"data/pf":{"~income":1.50}}`)
	r.RelevantFields = []string{"data/pf.~income"}
	const want = "POST /x, data/pf.~income 1.50, without a credential"
	testmust.Equal(t, c.SendOnce(t.Context(), r).Summary(), want)
}
