package reference

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/internal/testmust"
)

// Where a target user is a user apart, it may not use the shareholder of the caller.
func TestATargetUserMayBeAUserApart(t *testing.T) {
	for reading, want := range map[string]int{"": 201, "target-apart": 400} {
		choices := Choices{}
		if reading != "" {
			choices.Readings = []string{reading}
		}
		g := try(t, choices)
		made := g.createText(jsonOf(g.person()), "x-product-uuid", g.data.main.person.products[0],
			"x-product-target-user-uuid", g.data.target.id)
		testmust.Equal(t, made.Code, want, reading)
	}
}

// FuzzRequest checks that the gateway answers every request, and never with a server error.
func FuzzRequest(f *testing.F) {
	g := try(f, Choices{})
	f.Add(createPath, jsonOf(g.person()), "application/json", "pt-BR")
	f.Add(
		exportPath,
		`{"quote_created_at":{"gte":"2025-01-01T00:00:00Z","lt":"2025-02-01T00:00:00Z"},"sort":[{"field":"id"}]}`,
		"application/json; charset=utf-8",
		"en-US",
	)
	f.Add("/users/legal-representatives/x/documents",
		"--b\r\nContent-Disposition: form-data; name=\"selfie\"; filename=\"a\"\r\n\r\nx\r\n--b--",
		"multipart/form-data; boundary=b", "")
	f.Add("/v1/files/%2e%2e?x", "{}", "text/plain", "\x00")
	f.Fuzz(func(t *testing.T, path, body, media, language string) {
		_, err := http.NewRequest(http.MethodPost, "http://x/"+strings.TrimPrefix(path, "/"), nil)
		if err != nil || strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return // no server receives such a path
		}
		for _, method := range []string{http.MethodPost, http.MethodGet} {
			w := g.send(method, "http://x/"+strings.TrimPrefix(path, "/"), strings.NewReader(body),
				"Content-Type", media, "x-lang", language, "x-transaction-uuid", uuid.NewString())
			if w.Code == 0 || w.Code >= 500 {
				t.Errorf("%s: %d %s", method, w.Code, w.Body)
			}
		}
	})
}
