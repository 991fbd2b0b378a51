package curl

import (
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/redact"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/internal/token"
)

const (
	ownToken = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJ1c2VyLTEiLCJpYXQiOjE3OTU5NTAwMDB9." +
		"dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	ownKey = "key-u1-7f3c9a"
)

// TestAlteredCredentialsAreMadeAnew checks that a script derives an altered credential from the
// one in its environment, and contains no part of it.
func TestAlteredCredentialsAreMadeAnew(t *testing.T) {
	change := func(f func(string) (string, error)) string { return testmust.Get(f(ownToken))(t) }
	for name, sent := range map[string]string{
		"payload":                change(token.WithChangedPayload),
		"signature":              change(token.WithChangedSignature),
		"end of signature":       change(token.WithChangedSignatureEnd),
		"other case":             change(token.WithSwappedSignatureCase),
		"cut":                    change(token.WithTruncatedSignature),
		"removed":                change(token.WithoutSignature),
		"without its dot":        strings.TrimSuffix(change(token.WithoutSignature), "."),
		"one more part":          ownToken + ".e30",
		"alg none":               change(token.WithAlgNone),
		"alg none, signed":       change(token.WithAlgNoneSigned),
		"half of the key":        ownKey[:len(ownKey)/2] + "%",
		"behind another":         "x, " + ownKey,
		"key in capitals":        strings.ToUpper(ownKey[:6]) + ownKey[6:],
		"signed by an empty key": change(token.Forger{Algorithm: "HS256", KeyID: "../null"}.Sign),
		"signed by a guess":      change(token.Forger{Algorithm: "HS256", Key: token.GuessedKey}.Sign),
		"signed by nobody's key": change(token.Forger{Algorithm: "HS512", Key: token.UnknownKey}.Sign),
		"nobody's":               "00000000-0000-4000-8000-000000000000",
	} {
		part := altered(sent).alteredPart(sent)
		if name == "nobody's" {
			testmust.Equal(t, part.Plain, sent, name, part)
			continue
		}
		if part.Expression == "" {
			t.Errorf("%s is made of nothing", name)
			continue
		}
		for _, secret := range []string{"dBjftJeZ4CVP", "c3ViIjoi", ownKey[4:]} {
			if strings.Contains(part.Expression, secret) {
				t.Errorf("%s: %s holds a secret", name, part.Expression)
			}
		}
		command := exec.Command("bash", "-c", ". ../reproscript/prelude.bash; printf %s "+part.Expression)
		command.Env = append(os.Environ(), "GATEWAY_TOKEN="+ownToken, "GATEWAY_API_KEY="+ownKey)
		if got := string(testmust.Get(command.CombinedOutput())(t)); got != sent {
			t.Errorf("%s: %s makes %s of it", name, part.Expression, got)
		}
	}
}

// A signature fits one token only, so a script cannot send it with another.
func TestTokensOfAnUnknownKeyAreSetByHand(t *testing.T) {
	sent := testmust.Get(token.Forger{Algorithm: "HS512", Key: "somebody's"}.Sign(ownToken))(t)
	if part := altered(sent).alteredPart(sent); part.Variable != AlteredVariable ||
		part.Expression != "" {
		t.Errorf("%+v", part)
	}
}

func altered(sent string) *Request {
	red := redact.New(&deployment.File{})
	for _, secret := range []string{ownToken, ownKey} {
		red.AddSecret(secret)
	}
	return &Request{
		Header:   http.Header{"Authorization": {"Bearer " + sent}},
		Redactor: red, AlteredCredential: "a token that was changed",
		Credentials: []*deployment.Credential{
			{Name: "platform_token", Value: ownToken}, {Name: "api_key", Value: ownKey},
		},
	}
}
