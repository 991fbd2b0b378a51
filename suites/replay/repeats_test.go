package replay

import (
	"net/http"
	"testing"

	"github.com/gateassay/gateassay/suites/target"
)

func TestAnotherLanguageIsAnother(t *testing.T) {
	for first, want := range map[string]string{"": "en-US", "pt-BR": "en-US", "en-US": "pt-BR"} {
		call := target.ExportCall{Request: target.Request{Header: http.Header{}}}
		if first != "" {
			call = call.Set(target.HeaderLanguage, first)
		}
		headers(target.HeaderLanguage, "en-US")(&call)
		if got := call.Header[target.HeaderLanguage]; len(got) != 1 || got[0] != want {
			t.Errorf("after %q: %q, want %q", first, got, want)
		}
	}
}
