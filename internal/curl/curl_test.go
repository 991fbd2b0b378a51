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
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing in %s", want, text)
		}
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
	if text := Script(r); !strings.Contains(text, `"Cookie: token=$GATEWAY_TOKEN"`) {
		t.Error(text)
	}
}
