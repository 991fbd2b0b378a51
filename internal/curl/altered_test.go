package curl

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/internal/token"
)

const (
	ownToken = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJ1c2VyLTEiLCJpYXQiOjE3OTU5NTAwMDB9." +
		"dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	ownKey = "key-u1-7f3c9a"
)

// TestAlteredCredentialsAreMadeAnew checks that a script makes of the credential in its environment
// what the run made of its own, and contains no part of it.
func TestAlteredCredentialsAreMadeAnew(t *testing.T) {
	own := &deployment.Credential{Name: "platform_token", Value: ownToken}
	key := &deployment.Credential{Name: "api_key", Value: ownKey}
	for name, change := range map[string]token.Change{
		"payload":                token.ChangedPayload(),
		"signature":              token.ChangedSignature(),
		"end of signature":       token.ChangedSignatureEnd(),
		"other case":             token.SwappedSignatureCase(),
		"cut":                    token.TruncatedSignature(),
		"removed":                token.WithoutSignature(),
		"one more part":          always(token.Edit{Text: ".e30"}),
		"alg none":               token.Unsigned("none"),
		"alg none, signed":       token.AlgNoneSigned(),
		"signed by an empty key": token.SignedWith("", "../null", "HS256"),
		"signed by a guess":      token.SignedWith("secret", "", "HS384"),
		"signed by nobody's key": token.SignedWith("it's nobody's", "", "HS512"),
		"key: half":              always(token.Edit{From: 7, Text: "%"}),
		"key: behind another":    always(token.Edit{From: len(ownKey), To: len(ownKey), Text: "x, "}),
		"key: in capitals":       always(token.Edit{From: len(ownKey), To: 7, SwapCase: true}),
		"key: its middle":        always(token.Edit{From: 9, To: 4, SwapCase: true}),
	} {
		source := own
		if strings.HasPrefix(name, "key: ") {
			source = key
		}
		edit := testmust.Get(change(source.Value))(t)
		part := credentialPart(&deployment.Credential{Edit: &edit, Source: source})
		for _, secret := range []string{"dBjftJeZ4CVP", "c3ViIjoi", "MDAwMDB9", "SWFOEjXk", ownKey[4:]} {
			if strings.Contains(part.Expression, secret) {
				t.Errorf("%s: %s holds a secret", name, part.Expression)
			}
		}
		command := exec.Command("bash", "-c", ". ../reproscript/prelude.bash; printf %s "+part.Expression)
		command.Env = append(os.Environ(), "GATEWAY_TOKEN="+ownToken, "GATEWAY_API_KEY="+ownKey)
		want := edit.Apply(source.Value)
		if got := string(testmust.Get(command.CombinedOutput())(t)); got != want || got == source.Value {
			t.Errorf("%s: %s makes %s of it, want %s", name, part.Expression, got, want)
		}
	}
}

func TestMadeUpCredentialsAreSentAsTheyAre(t *testing.T) {
	made := &deployment.Credential{Name: "a key that nobody issued", Value: "0", Edit: &token.Edit{}}
	if part := credentialPart(made); part != (TextPart{Plain: "0"}) {
		t.Errorf("%+v", part)
	}
}

func always(e token.Edit) token.Change {
	return func(string) (token.Edit, error) { return e, nil }
}
