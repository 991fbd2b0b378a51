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
	r.Credentials = []*deployment.Credential{r.Credential(secret)}
	r.Header = http.Header{"Cookie": {"token=" + secret}}
	testmust.Contain(t, Script(r), `"Cookie: token=$GATEWAY_TOKEN"`)
}

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
