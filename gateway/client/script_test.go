package client

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// scripted is a client whose deployment answers everything with 200.
func scripted(t *testing.T) *Client {
	t.Helper()
	return clientOf(t, Options{}, func(http.ResponseWriter, *http.Request) {})
}

func export(nonce string, body string) *Request {
	return &Request{
		Operation: Export, Method: http.MethodPost, Path: "/x", Header: http.Header{"nonce": {nonce}},
		Body: []byte(body), Fresh: []string{"nonce"},
	}
}

const (
	nonceA = "0b0f5be5-96a4-4d0c-8f6e-8b1d9b1c2a01"
	nonceB = "0b0f5be5-96a4-4d0c-8f6e-8b1d9b1c2a02"
)

// A repeat alone would be a first request: what it repeats comes before it.
func TestScriptOfARepeatHoldsWhatItRepeats(t *testing.T) {
	c := scripted(t)
	c.Once(t.Context(), export(nonceA, `{"a":1}`))
	c.Once(t.Context(), export(nonceB, `{"a":1}`))
	c.Once(t.Context(), export(nonceA, `{"a":1}`))
	if seqs := c.WithFirst([]int{3}, []int{3, 1, 2, 99}); !slices.Equal(seqs, []int{1, 3}) {
		t.Errorf("the third request repeats %v", seqs)
	}
	script := c.Script(c.WithFirst([]int{3}, []int{3, 1, 2}))
	if !strings.Contains(script, "for i in $(seq 2); do\ncurl ") || !strings.Contains(script, "nonce: $id1") {
		t.Error(script)
	}
	if seqs := c.WithFirst(nil, []int{1}); len(seqs) != 0 {
		t.Errorf("nothing is repeated by %v", seqs)
	}
}
