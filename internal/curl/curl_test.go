package curl

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/redact"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/internal/token"
)

const (
	nonce  = "0b0f5be5-96a4-4d0c-8f6e-8b1d9b1c2a01"
	secret = "a-secret-that-nobody-may-see"
)

func request(body string) Request {
	cred := &deployment.Credential{Name: "platform_token", Method: deployment.AuthBearer, Value: secret}
	r := redact.New(&deployment.File{})
	r.AddSecret(secret)
	return Request{
		Method: http.MethodPost, URL: "http://gateway.example/x", FreshHeaders: []string{"nonce"},
		Body: []byte(body),
		Size: len(body), Header: http.Header{"nonce": {nonce}, "Authorization": {"Bearer " + secret}},
		Redactor: r,
		Credential: func(value string) *deployment.Credential {
			if value == secret {
				return cred
			}
			return nil
		},
	}
}

func TestAShellReadsWhatWasQuoted(t *testing.T) {
	for _, text := range []string{
		"", "plain", "it's", `"$HOME" \ $(touch pwned)`, "`x`\n\t!", "é\u2028",
	} {
		for how, quoted := range map[string]string{"single": Quote(text), "double": `"` +
			escapeDoubleQuoted(text) + `"`} {
			out, err := exec.Command("sh", "-c", "printf %s "+quoted).Output()
			if err != nil || string(out) != text {
				t.Errorf("%s: %q became %q: %v", how, text, out, err)
			}
		}
	}
}

func TestACommandHoldsNoCredentialAndDrawsIdentifiersAnew(t *testing.T) {
	text := Script(request("{}"))
	for _, want := range []string{
		`"Authorization: Bearer $GATEWAY_TOKEN"`, `"nonce: $(uuid4)"`, "--data-raw '{}'",
	} {
		testmust.Contain(t, text, want)
	}
	if strings.Contains(text, secret) || strings.Contains(text, nonce) {
		t.Error(text)
	}
}

func TestAScriptKeepsIdentifiersThatRecur(t *testing.T) {
	requests := []Request{request("{}"), request(`{"other":1}`)}
	for i := range requests {
		requests[i].FreshHeaders = []string{"nonce", "another"}
		requests[i].Header["another"] = []string{strings.Replace(nonce, "0b0f", "5c0d", 1)}
	}
	script := Script(requests...)
	if strings.Count(script, "id1=$(uuid4)") != 1 || strings.Count(script, `"another: $id1"`) != 2 ||
		strings.Count(script, `"nonce: $id2"`) != 2 || strings.Count(script, "curl ") != 2 ||
		Script() != "" {
		t.Error(script)
	}
}

// Minimal systems lack uuidgen, others /proc.
func TestAnyShellDrawsAnIdentifier(t *testing.T) {
	without := t.TempDir()
	cat, err := exec.LookPath("cat")
	testmust.Succeed(t, err)
	testmust.Succeed(t, os.Symlink(cat, filepath.Join(without, "cat")))
	with := t.TempDir()
	testmust.Succeed(t,
		os.WriteFile(filepath.Join(with, "uuidgen"), []byte("#!/bin/sh\necho "+nonce+"\n"), 0o700))
	script := withUUIDFunction("printf %s \"" + uuidExpression + "\"")
	for _, shell := range []string{"sh", "bash", "dash", "zsh"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		for _, tools := range []string{without, with} {
			if _, err := os.Stat("/proc/sys/kernel/random/uuid"); err != nil && tools == without {
				continue
			}
			run := exec.Command(path, "-c", script)
			run.Env = []string{"PATH=" + tools}
			out, err := run.CombinedOutput()
			if err != nil || !uuidV4Pattern.Match(out) || (string(out) == nonce) != (tools == with) {
				t.Errorf("%s: %v %q", shell, err, out)
			}
		}
	}
}

func TestACredentialInACookieIsAVariable(t *testing.T) {
	r := request("{}")
	r.Header = http.Header{"Cookie": {"token=" + secret}}
	testmust.Contain(t, Script(r), `"Cookie: token=$GATEWAY_TOKEN"`)
}

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
