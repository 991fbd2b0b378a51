package client

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// runCurl runs a recorded command with a curl that prints its arguments, each ended by a zero byte, and its input.
func runCurl(t *testing.T, command string) (args []string, stdin []byte) {
	t.Helper()
	dir := t.TempDir()
	for name, script := range map[string]string{
		"curl":    "#!/bin/sh\nfor a in \"$@\"; do printf '%s\\0' \"$a\"; done > \"$OUT/args\"\ncat > \"$OUT/stdin\"\n",
		"uuidgen": "#!/bin/sh\necho fresh-uuid\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	sh := exec.Command("sh", "-c", command)
	sh.Dir = dir
	sh.Env = []string{"PATH=" + dir + ":/usr/bin:/bin", "OUT=" + dir, "GATEWAY_TOKEN=the token", "GATEWAY_API_KEY=the key", "GATEWAY_OTHER_USER_TOKEN=the other"}
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
		`{"a":"it's"}`, "'; touch pwned; '", "$(touch pwned) `touch pwned` $HOME \\ \\\\ \"", "@/etc/passwd", "-H evil", "line\nline\r\n\ttab\n", "\n", "'",
		"''", "'''\\''", "é 漢字 \U0001f600", "%s %d \\n", strings.Repeat("x'", 9000), "EOF\nGATEASSAY\n", "!history", "#comment", "~", "*",
	}
	for _, b := range bodies {
		r := post(b)
		r.Credential = dep.Credentials.PlatformToken
		r.Header = http.Header{"nonce": {"0b0f5be5-96a4-4d0c-8f6e-8b1d9b1c2a01"}, "x-odd": {"it's $(touch pwned) `x` \\"}, "X-Empty": {""}, "$`x": {"0b0f5be5-96a4-4d0c-8f6e-8b1d9b1c2a02"}, "Content-Type": {"text/plain"}}
		r.Fresh = []string{"nonce", "$`x"}
		x := c.Once(background(), r)
		args, _ := runCurl(t, x.Recorded.Curl)
		if got := after(args, "--data-raw"); len(got) != 1 || got[0] != b {
			t.Fatalf("%q became %q", b, got)
		}
		headers := strings.Join(after(args, "-H"), "\n")
		for _, want := range []string{"nonce: fresh-uuid", "x-odd: it's $(touch pwned) `x` \\", "X-Empty;", "$`x: fresh-uuid", "Authorization: Bearer the token", "Content-Type: text/plain"} {
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
	if !strings.HasPrefix(text, "# ") || !strings.Contains(text, "@body.bin") || !strings.Contains(text, `-H "x-api-key: $GATEWAY_API_KEY"`) || !strings.Contains(text, "'Content-Type:'") {
		t.Fatal(text)
	}
}

func TestHARIsValidAfterEveryAppend(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = w.Write(body)
	})
	path := filepath.Join(t.TempDir(), "x.har")
	har, err := NewHAR(path, "gateassay", "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewHAR(path, "gateassay", "1.2.3"); err == nil {
		t.Fatal("an existing file was overwritten")
	}
	info, _ := os.Stat(path)
	if info.Mode().Perm() != 0o600 {
		t.Fatal(info.Mode())
	}
	n := 0
	check := func() {
		t.Helper()
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		checkHAR(t, raw, n)
	}
	check()
	c := newClient(t, testDeployment(url), Options{OnExchange: func(x *Exchange) {
		if err := har.Append(x); err != nil {
			t.Error(err)
		}
		n++
	}})
	for _, b := range []string{"", `{"a":1}`, "\xff\xfe binary", "é\u2028</script>"} {
		r := post(b)
		r.Path = "/x?b=2&a=1"
		c.Once(background(), r)
		check()
	}
	if err := har.Close(); err != nil {
		t.Fatal(err)
	}
	check()
}

func checkHAR(t *testing.T, raw []byte, n int) {
	t.Helper()
	var doc map[string]map[string]any
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	log := doc["log"]
	entries, ok := log["entries"].([]any)
	if log["version"] != "1.2" || log["creator"] == nil || !ok || len(entries) != n {
		t.Fatalf("%v entries, expected %d", len(entries), n)
	}
	need := func(v any, names string) map[string]any {
		object, ok := v.(map[string]any)
		for _, name := range strings.Fields(names) {
			if _, has := object[name]; !ok || !has {
				t.Fatalf("no %s in %v", name, v)
			}
		}
		return object
	}
	for _, e := range entries {
		entry := need(e, "startedDateTime time request response cache timings _seq _label _operation _attempt")
		request := need(entry["request"], "method url httpVersion cookies headers queryString headersSize bodySize")
		if post, has := request["postData"]; has {
			need(post, "mimeType text")
		}
		if len(request["queryString"].([]any)) != 2 {
			t.Fatal(request["queryString"])
		}
		response := need(entry["response"], "status statusText httpVersion cookies headers content redirectURL headersSize bodySize")
		need(response["content"], "size mimeType")
		timings := need(entry["timings"], "send wait receive blocked")
		sum := 0.0
		for _, name := range []string{"blocked", "send", "wait", "receive"} {
			v := timings[name].(float64)
			if v < 0 {
				t.Fatal(timings)
			}
			sum += v
		}
		if d := sum - entry["time"].(float64); d > 0.01 || d < -0.01 {
			t.Fatal(timings, entry["time"])
		}
	}
}

func TestAFullDiskIsToldOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.har")
	har, err := NewHAR(path, "gateassay", "1")
	if err != nil {
		t.Fatal(err)
	}
	x := &Exchange{Seq: 1, Recorded: Recorded{URL: "http://x/?a=1&b=2"}}
	if err := har.Append(x); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(path)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	real := har.file
	har.file = full
	if err := har.Append(x); err == nil {
		t.Fatal("a full disk went unnoticed")
	}
	if err := har.Append(x); err != nil {
		t.Fatal("told twice")
	}
	if har.err == nil {
		t.Fatal("not remembered")
	}
	if err := har.Close(); err != nil {
		t.Fatal(err)
	}
	_ = real.Close()
	if now, _ := os.ReadFile(path); !bytes.Equal(now, before) {
		t.Fatal("what was written already changed")
	}
	checkHAR(t, before, 1)
}
