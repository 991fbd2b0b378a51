package redact

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// Whatever stands around a credential, it goes; and JSON stays JSON.
func FuzzBody(f *testing.F) {
	for _, shape := range shapes {
		f.Add([]byte(`{"id":`+quote(shape(wholeKey))+`,"a":[101,121,74]}`), 3)
		f.Add([]byte("x="+shape(wholeToken)+"&y=\\u0041%41"), 0)
	}
	r := New(&deployment.File{})
	r.Secret("token", wholeToken)
	r.Secret("key", wholeKey)
	r.Personal("José d'Ávila Gonçalves", "+5511968371164")
	piece := wholeKey[8:21] // twelve letters and digits, and a slash
	f.Fuzz(func(t *testing.T, around []byte, at int) {
		at = max(0, min(at, len(around)))
		if clean := r.Text(string(around[:at]) + wholeKey + string(around[at:])); strings.Contains(clean, piece) {
			t.Errorf("%q", clean)
		}
		if clean := r.Text(string(around[:at]) + "- JOSE d'A\u0301vila_Goncalves" + string(around[at:])); strings.Contains(
			folded(clean), folded("d'Ávila Gonçalves")) {
			t.Errorf("%q", clean)
		}
		if clean := r.Body(around); json.Valid(around) && !json.Valid(clean) {
			t.Errorf("%q became %q", around, clean)
		}
	})
}
