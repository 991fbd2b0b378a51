package client

import (
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/must"
)

// runCurl runs a recorded command with a curl that prints its arguments, each ended by a zero byte, and its input.
func runCurl(t *testing.T, command string) (args []string, stdin []byte) {
	t.Helper()
	dir := t.TempDir()
	for name, script := range map[string]string{
		"curl":    "#!/bin/sh\nfor a in \"$@\"; do printf '%s\\0' \"$a\"; done > \"$OUT/args\"\ncat > \"$OUT/stdin\"\n",
		"uuidgen": "#!/bin/sh\necho fresh-uuid\n",
	} {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700))
	}
	sh := exec.Command("sh", "-c", command)
	sh.Dir = dir
	sh.Env = []string{
		"PATH=" + dir + ":/usr/bin:/bin", "OUT=" + dir, "GATEWAY_TOKEN=the token",
		"GATEWAY_API_KEY=the key", "GATEWAY_OTHER_USER_TOKEN=the other",
	}
	if out, err := sh.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v %s\n%s", err, out, command)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "args"))
	if err != nil {
		t.Fatal(err)
	}
	stdin, err = os.ReadFile(filepath.Join(dir, "stdin"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(raw), "\x00"), "\x00"), stdin
}

func after(args []string, flag string) []string {
	var values []string
	for i, a := range args[:len(args)-1] {
		if a == flag {
			values = append(values, args[i+1])
		}
	}
	return values
}

func TestCurlSurvivesAShell(t *testing.T) {
	url := serve(t, func(http.ResponseWriter, *http.Request) {})
	dep := testDeployment(url)
	c := newClient(t, dep, Options{})
	bodies := []string{
		`{"a":"it's"}`, "'; touch pwned; '", "$(touch pwned) `touch pwned` $HOME \\ \\\\ \"", "@/etc/passwd", "-H evil",
		"line\nline\r\n\ttab\n", "\n", "'",
		"''", "'''\\''", "é 漢字 \U0001f600", "%s %d \\n", strings.Repeat("x'",
			9000), "EOF\nGATEASSAY\n", "!history", "#comment", "~", "*",
	}
	for _, b := range bodies {
		r := post(b)
		r.Credential = dep.Credentials.PlatformToken
		r.Header = http.Header{
			"nonce": {"0b0f5be5-96a4-4d0c-8f6e-8b1d9b1c2a01"},
			"x-odd": {"it's $(touch pwned) `x` \\"}, "X-Empty": {""}, "$`x": {"0b0f5be5-96a4-4d0c-8f6e-8b1d9b1c2a02"}, "Content-Type": {"text/plain"},
		}
		r.Fresh = []string{"nonce", "$`x"}
		x := c.Once(background(), r)
		args, _ := runCurl(t, x.Recorded.Curl)
		if got := after(args, "--data-raw"); len(got) != 1 || got[0] != b {
			t.Fatalf("%q became %q", b, got)
		}
		headers := strings.Join(after(args, "-H"), "\n")
		for _, want := range []string{
			"nonce: fresh-uuid", "x-odd: it's $(touch pwned) `x` \\", "X-Empty;",
			"$`x: fresh-uuid", "Authorization: Bearer the token", "Content-Type: text/plain",
		} {
			if !strings.Contains(headers, want) {
				t.Fatalf("no %q in\n%s", want, headers)
			}
		}
		if got := after(args, "-X"); len(got) != 1 || got[0] != "POST" || args[4] != url+"/x" {
			t.Fatalf("%q", args)
		}
	}
}

func TestCurlNamesCredentialsAndCarriesBinaryBodies(t *testing.T) {
	url := serve(t, func(http.ResponseWriter, *http.Request) {})
	dep := testDeployment(url)
	c := newClient(t, dep, Options{})
	binary := "\x00\xff'\\%\n\x01"
	r := post(binary)
	r.Credential = dep.Credentials.OtherUser
	args, stdin := runCurl(t, c.Once(background(), r).Recorded.Curl)
	if string(stdin) != binary || after(args, "--data-binary")[0] != "@-" {
		t.Fatalf("%q %q", stdin, args)
	}
	if got := strings.Join(after(args, "-H"), "\n"); !strings.Contains(got, "Authorization: Bearer the other") {
		t.Fatal(got)
	}
	r = post(strings.Repeat(binary, 2000))
	r.Credential, r.Header = dep.Credentials.APIKey, nil
	text := c.Once(background(), r).Recorded.Curl
	if !strings.HasPrefix(text, "# ") || !strings.Contains(text, "@body.bin") ||
		!strings.Contains(text, `-H "x-api-key: $GATEWAY_API_KEY"`) || !strings.Contains(text, "'Content-Type:'") {
		t.Fatal(text)
	}
}

// A credential that is sent in the query is taken from the environment there as well.
func TestCurlNamesACredentialInTheQuery(t *testing.T) {
	address := serve(t, func(http.ResponseWriter, *http.Request) {})
	dep := testDeployment(address)
	r := post("{}")
	r.Query = url.Values{"api_key": {dep.Credentials.APIKey.Value}, "state": {"open & new"}}
	command := newClient(t, dep, Options{}).Once(background(), r).Recorded.Curl
	if strings.Contains(command, dep.Credentials.APIKey.Value) {
		t.Fatal(command)
	}
	if args, _ := runCurl(t, command); args[4] != address+"/x?api_key=the key&state=open+%26+new" {
		t.Fatalf("%q", args)
	}
}
