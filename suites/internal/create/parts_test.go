package create

import (
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/testmust"
)

func TestCodesOfErrors(t *testing.T) {
	const body = `{"code": "invalid_request",
		"errors": [{"errorCode": "ERR-42", "field": "email"}, {"error_code": "1001"}], "zipcode": "01310100", "code_holder": "x", "inner": {"code": ["a.b", "Ana Lima",
			"7d1f5a52-5a0f-4c0e-8a37-6d1b3e9a0c11"]}, "statusCode": 400}`
	got := errorCodesIn([]byte(body))
	slices.Sort(got)
	if want := []string{"1001", "ERR-42", "a.b", "invalid_request"}; !slices.Equal(got, want) {
		t.Errorf("found %v, expected %v", got, want)
	}
	if got := errorCodesIn([]byte("no JSON")); got != nil {
		t.Errorf("found %v", got)
	}
}

// The kind of an identity document is written in the same letter case. A text that names no kind
// stays.
func TestKindsOfIdentityDocuments(t *testing.T) {
	for _, c := range []struct{ text, kind, want string }{
		{"cnh", "Passport", "passport"},
		{"CNH", "Passport", "PASSPORT"},
		{"cnh", "", "cnh"},
		{"front", "ID", "front"},
	} {
		d := &deployment.Documents{Form: map[string]string{"type": c.text}}
		body, _ := multipartForm(d, documentNames(), c.kind)
		if want := "name=\"type\"\r\n\r\n" + c.want + "\r\n"; !strings.Contains(string(body), want) {
			t.Errorf("%s as %s: %.200s", c.text, c.kind, body)
		}
		testmust.Equal(t, strings.Count(string(body), "filename="), 3, "documents")
	}
}
