package create

import (
	"slices"
	"testing"
)

func TestCodesOfErrors(t *testing.T) {
	const body = `{"code": "invalid_request",
		"errors": [{"errorCode": "ERR-42", "field": "email"}, {"error_code": "1001"}], "zipcode": "01310100", "code_holder": "x", "inner": {"code": ["a.b", "Ana Lima",
			"7d1f5a52-5a0f-4c0e-8a37-6d1b3e9a0c11"]}, "statusCode": 400}`
	got := codes([]byte(body))
	slices.Sort(got)
	if want := []string{"1001", "ERR-42", "a.b", "invalid_request"}; !slices.Equal(got, want) {
		t.Errorf("found %v, expected %v", got, want)
	}
	if got := codes([]byte("no JSON")); got != nil {
		t.Errorf("found %v", got)
	}
}

func TestKindsOfIdentityDocuments(t *testing.T) {
	for _, c := range []struct{ text, kind, want string }{
		{"cnh", "Passport", "passport"},
		{"CNH", "Passport", "PASSPORT"},
		{"cnh", "", "cnh"},
		{"front", "ID", "front"},
	} {
		if got := inKind(c.text, c.kind); got != c.want {
			t.Errorf("%s as %s: %s, want %s", c.text, c.kind, got, c.want)
		}
	}
}
