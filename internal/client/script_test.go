package client

import (
	"net/http"
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

func TestScriptOfARepeatKeepsItsIdentifier(t *testing.T) {
	c := scripted(t)
	c.Once(t.Context(), export(nonceA, `{"a":1}`))
	c.Once(t.Context(), export(nonceB, `{"a":1}`))
	c.Once(t.Context(), export(nonceA, `{"a":1}`))
	script := c.Script(1, 3, 99)
	if !strings.Contains(script, "for i in $(seq 2); do\ncurl ") || !strings.Contains(script, "nonce: $id1") {
		t.Error(script)
	}
	if script := c.Script(); script != "" {
		t.Errorf("nothing is repeated by %s", script)
	}
}
