package reproscript

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/curl"
	"github.com/gateassay/gateassay/internal/redact"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/internal/token"
)

const (
	ownToken = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg"
	idA      = "0b0f5be5-96a4-4d0c-8f6e-8b1d9b1c2a01"
	idB      = "5c0dbe55-11a4-4a77-9f00-1f1d9b1c2a01"
)

// request returns a request of a script, with the credential.
func request(method, url, body string, header http.Header) curl.Request {
	cred := &deployment.Credential{Name: "platform_token", Method: deployment.AuthBearer, Value: ownToken}
	red := redact.New(&deployment.File{})
	red.AddSecret(ownToken)
	h := http.Header{"Authorization": {"Bearer " + ownToken}, "Content-Type": {"application/json"}}
	for name, values := range header {
		h[name] = values
	}
	return curl.Request{
		Method: method, URL: url, Header: h, FreshHeaders: []string{
			"nonce", "x-transaction-uuid",
		}, Body: []byte(body), Size: len(body),
		Redactor: red, Credential: func(value string) *deployment.Credential {
			if value == ownToken {
				return cred
			}
			return nil
		},
	}
}

// seen is a request that a server received.
type seen struct {
	*http.Request
	body string
}

// run runs a script against a handler and returns the requests that the handler received.
func run(t *testing.T, s Script, handler http.HandlerFunc) (code int, output string, all []seen) {
	t.Helper()
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		all = append(all, seen{r, string(body)})
		mu.Unlock()
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		handler(w, r)
	}))
	defer server.Close()
	s.BaseURL = "http://gateway.example/api"
	path, dir := filepath.Join(t.ArtifactDir(), "script.sh"), t.TempDir() // go test -artifacts keeps it
	testmust.WriteFile(t, path, s.Text())
	command := exec.CommandContext(t.Context(), "bash", path)
	command.Env = append(os.Environ(),
		"GATEWAY_URL="+server.URL+"/api", "GATEWAY_TOKEN="+ownToken, "TMPDIR="+dir)
	out, err := command.CombinedOutput()
	if exit, failed := err.(*exec.ExitError); failed {
		code = exit.ExitCode()
	} else {
		testmust.Succeed(t, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	return code, string(out), all
}

// to returns a step that posts to a path of the gateway.
func to(path, body string, header http.Header) Step {
	r := request("POST", "http://gateway.example/api"+path, body, header)
	r.Label = "sends " + path
	return Step{Request: r}
}

// answers returns a handler that gives answers such as "201 {}" in turn.
func answers(list ...string) http.HandlerFunc {
	var mu sync.Mutex
	n := 0
	return func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		status, body, _ := strings.Cut(list[min(n, len(list)-1)], " ")
		n++
		var code int
		if fmt.Sscan(status, &code); code == 0 {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

func TestEachRunDrawsAnewWhatNoOtherMayShare(t *testing.T) {
	const first, second, later = "2025-01-02T03:04:05.678-03:00", "2025-01-02T06:04:05.678Z", "2025-01-02T06:04:07.678Z"
	steps := []Step{
		to("/x?tag="+idA,
			`{"cpf":"52998224725","start":"`+first+`","end":"`+second+`","after":"`+later+`"}`,
			http.Header{"nonce": {idA}, "x-transaction-uuid": {"id-" + idB}}),
		to("/y", `{"text":"it's $HOME`+first+`","n":"@`+strings.Repeat("x", 300_000)+`"}`,
			http.Header{"nonce": {idA[:35] + "9"}, "x-transaction-uuid": {strings.ReplaceAll(idA,
				"-", "")}}),
		to("/z/../z", "", http.Header{
			"nonce": {"00000000-0000-0000-0000-000000000000"}, "x-a": {`a "b" \c`}, "x-b": {""},
		}),
	}
	steps[0].Drawn = []DrawnText{
		{"52998224725", DrawnCPF}, {first, DrawnInstant}, {second, DrawnInstant}, {later, DrawnInstant},
	}
	s := Script{Steps: steps, Expectation: ExpectValue{Path: "start", Right: regexp.QuoteMeta(`"` +
		first + `"`)}}
	unique := map[string]bool{}
	for range 3 {
		code, output, all := run(t, s, func(w http.ResponseWriter, r *http.Request) {
			io.Copy(w, io.LimitReader(r.Body, 1<<10))
			if r.ContentLength == 0 {
				fmt.Fprintf(w, `{"start":"%s"}`, "none")
			}
		})
		if len(all) != 3 || code != 1 {
			t.Fatalf("%d\n%s", code, output)
		}
		nonce, body := all[0].Header.Get("nonce"), all[0].body
		var got struct{ CPF, Start, End, After string }
		testmust.Succeed(t, json.Unmarshal([]byte(body), &got))
		start, end, after := testmust.Get(time.Parse(time.RFC3339,
			got.Start))(t), testmust.Get(time.Parse(time.RFC3339, got.End))(t),
			testmust.Get(time.Parse(time.RFC3339, got.After))(t)
		if !start.Equal(end) || after.Sub(end) != 2*time.Second || got.Start[:17] != first[:17] ||
			!strings.HasSuffix(got.Start, "-03:00") {
			t.Errorf("%+v", got)
		}
		if !representative.ValidCPF(got.CPF) || !uuidV4Pattern.MatchString(nonce) ||
			nonce[19] != idA[19] {
			t.Errorf("%+v %s", got, nonce)
		}
		other := all[1].Header.Get("nonce")
		if last, _ := strconv.ParseUint(nonce[35:],
			16, 8); other != nonce[:35]+strconv.FormatUint((last+8)%16, 16) {
			t.Errorf("%s was made of %s", other, nonce)
		}
		malformed := all[0].Header.Get("x-transaction-uuid")
		for found, want := range map[string]string{
			all[0].URL.RawQuery:                     "tag=" + nonce,
			all[1].Header.Get("x-transaction-uuid"): strings.ReplaceAll(nonce, "-", ""),
			malformed[:3] + malformed[11:27]:        "id-" + idB[8:24],
			all[1].body: `{"text":"it's $HOME` + got.Start + `","n":"@` + strings.Repeat("x",
				300_000) + `"}`,
			all[2].RequestURI:                "/api/z/../z",
			all[2].Header.Get("nonce"):       "00000000-0000-0000-0000-000000000000",
			all[2].Header.Get("x-a"):         `a "b" \c`,
			fmt.Sprint(all[2].Header["X-B"]): "[]",
		} {
			testmust.Equal(t, found, want)
		}
		for _, text := range []string{nonce, malformed, got.CPF} {
			if unique[text] || strings.Contains(idA+idB+"52998224725", text) {
				t.Errorf("%s again", text)
			}
			unique[text] = true
		}
	}
}

func TestLaterStepsCarryWhatTheNewAnswerSays(t *testing.T) {
	steps := []Step{
		to("/x",
			`{"name":"long enough"}`, nil), to("/records/11111111/documents", `{"number":1234567890}`, nil),
		{Request: request("GET", "http://elsewhere.example/file?sig=redacted", "", nil)},
	}
	steps[0].Answer = []byte(`{"name":"long enough","data":[{"id":"11111111"}],"number":1234567890}`)
	steps[1].Answer = []byte(`{"url":"http://elsewhere.example/file?sig=redacted"}`)
	var all []seen
	code, output, all := run(t, Script{
		Steps: steps, Expectation: ExpectStatus{Right: []string{"404"}},
	}, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/api/x"):
			io.WriteString(w, `{"name":"changed","data":[{"id":"22\u002f2222"}],"number":9876543210}`)
		case r.Method == "POST":
			fmt.Fprintf(w, `{"url":"http:\/\/%s/new?sig=1&a=2"}`, r.Host)
		default:
			w.WriteHeader(404)
		}
	})
	if code != 0 || all[1].URL.Path != "/api/records/22/2222/documents" ||
		all[1].body != `{"number":9876543210}` ||
		all[2].RequestURI != "/new?sig=1&a=2" || all[0].body != `{"name":"long enough"}` {
		t.Errorf("%d %v\n%s", code, all, output)
	}
}

// Every user of a machine can see the arguments of processes.
func TestNoCredentialIsAnArgument(t *testing.T) {
	step := to("/x?key="+"redacted",
		`{}`, http.Header{"X-Api-Key": {ownToken + "altered-1"}, "x-tenant": {"[redacted]"}})
	own := step.Request.Credential
	step.Request.Query = url.Values{"key": {ownToken}}
	step.Request.Credential = func(value string) *deployment.Credential {
		if value == ownToken+"altered-1" {
			return &deployment.Credential{Edit: &token.Edit{Text: "altered-1"}, Source: own(ownToken)}
		}
		return own(value)
	}
	s := Script{Steps: []Step{step}, Expectation: ExpectStatus{Right: []string{"2xx"}}}
	t.Setenv("GATEWAY_HEADER_X_TENANT", "tenant-1")
	code, output, all := run(t, s, func(_ http.ResponseWriter, r *http.Request) {
		lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		seen := false
		for _, path := range lines {
			line, _ := os.ReadFile(path)
			seen = seen || strings.Contains(string(line), "curl\x00-q")
			for _, secret := range []string{ownToken, "altered-1", "tenant-1"} {
				if strings.Contains(string(line), secret) {
					t.Errorf("%q", line)
				}
			}
		}
		if !seen && len(lines) > 0 {
			t.Error("no curl runs")
		}
	})
	if code != 0 || all[0].URL.RawQuery != "key="+ownToken ||
		all[0].Header.Get("X-Api-Key") != ownToken+"altered-1" ||
		all[0].Header.Get("x-tenant") != "tenant-1" || strings.Contains(s.Text(), ownToken) {
		t.Errorf("%d %s", code, output)
	}
	t.Setenv("GATEWAY_HEADER_X_TENANT", "")
	if code, output, _ := run(t, s, answers("200 ")); code != 2 ||
		!strings.Contains(output, "set GATEWAY_HEADER_X_TENANT to the value") {
		t.Errorf("%d %s", code, output)
	}
}

func TestWhatIsSecretIsNotSent(t *testing.T) {
	code, output, all := run(t, Script{Steps: []Step{to("/x",
		`{"password":"[redacted]"}`, nil)}, Expectation: ExpectFileFetched{}}, answers("200 "))
	if code != 2 || len(all) != 0 || !strings.Contains(output, "could not tell") {
		t.Errorf("%d %s", code, output)
	}
}

func TestAnyBytesAreSentAsTheyAre(t *testing.T) {
	body := "a\x00b%s\\ '\xff\r\n"
	_, output, all := run(t, Script{Steps: []Step{to("/x",
		body, nil)}, Expectation: ExpectStatus{Right: []string{"200"}}}, answers("200 "))
	if len(all) != 1 || all[0].body != body {
		t.Errorf("%d requests, %s", len(all), output)
	}
}

// TestARaceIsOne checks that concurrent requests overlap.
func TestARaceIsOne(t *testing.T) {
	var now, most atomic.Int32
	var known sync.Map
	step := to("/x", `{}`, http.Header{"nonce": {idA}})
	step.Times = 8
	nonces := map[string]int{}
	code, output, all := run(t, Script{Steps: []Step{step}, Expectation: ExpectAtMostOne{}},
		func(w http.ResponseWriter, r *http.Request) {
			most.Store(max(most.Load(), now.Add(1)))
			time.Sleep(300 * time.Millisecond)
			now.Add(-1)
			if _, again := known.LoadOrStore(r.Header.Get("nonce"), true); again {
				w.WriteHeader(409)
			}
		})
	for _, r := range all {
		nonces[r.Header.Get("nonce")]++
	}
	if code != 0 || most.Load() < 6 || len(nonces) != 3 || len(all) != 24 {
		t.Errorf("%d %d %v\n%s", code, most.Load(), nonces, output)
	}
}
