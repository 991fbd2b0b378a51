package reproscript

import (
	"net/http"
	"testing"
)

func TestAScriptTriesUntilItShowsTheFinding(t *testing.T) {
	s := Script{
		Steps: []Step{to("/x", `{}`, http.Header{"nonce": {idA}})}, Tries: 4,
		Expectation: ExpectStatus{Right: []string{"201"}},
	}
	for _, c := range []struct {
		answers    []string
		code, sent int
	}{
		{[]string{"200 {}"}, 1, 1},
		{[]string{"201 {}", "201 {}", "200 {}"}, 1, 3},
		{[]string{"201 {}"}, 0, 4},
	} {
		nonces := map[string]bool{}
		code, output, all := run(t, s, answers(c.answers...))
		for _, r := range all {
			nonces[r.Header.Get("nonce")] = true
		}
		if code != c.code || len(all) != c.sent || len(nonces) != c.sent {
			t.Errorf("%v: exit code %d, %d requests, %d nonces\n%s",
				c.answers, code, len(all), len(nonces), output)
		}
	}
}
