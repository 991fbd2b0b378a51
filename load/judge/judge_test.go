package judge

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/gateway/rules"
)

const sound = `{"file_id":"2b1f","file_state":{"state":"PROCESSING"},"created_at":"2025-03-01T12:00:00.123Z"}`

var answers = []struct {
	body string
	want Defect
}{
	{sound, Sound},
	{" \r\n\t{ \"created_at\" : \"2025-03-01t12:00:00-03:00\" ,\n\"file_state\" : { } , \"file_id\" : \"\\u00e9\" }\n", Sound},
	{`{"file_id":"a","file_state":{"deep":[[[{"x":[1,-0.5e+7,true,false,null,"\\\"\/\b\f\n\r\t"]}]]],"file_id":""},"created_at":"2024-02-29T23:59:59.999999999999Z","more":[]}`, Sound},
	{`{"file\u005fid":"a","file_state":{},"created\u005fat":"2025-03-01T12:00:00Z"}`, Sound},
	{`{"file_id":"a","file_state":{},"created_at":"2025\u002d03-01T12:00:00Z"}`, Sound},
	{`{"file_id":"","file_id":"a","file_state":{},"created_at":"2025-03-01T12:00:00Z"}`, Sound},
	{`{"file_id":"a","file_id":"","file_state":{},"created_at":"2025-03-01T12:00:00Z"}`, NoFileID},
	{`{"file_id":"a","file_state":{},"created_at":"2025-03-01T12:00:00Z","file_state":null}`, NoFileState},
	{"{\"file_id\":\"\xff\",\"file_state\":{},\"created_at\":\"2025-03-01T12:00:00Z\"}", Sound},
	{``, NotObject},
	{`accepted`, NotObject},
	{`null`, NotObject},
	{`[` + sound + `]`, NotObject},
	{sound + sound, NotObject},
	{sound[:len(sound)-1], NotObject},
	{`{"file_id":"a",}`, NotObject},
	{`{"a":01}`, NotObject},
	{`{"a":1.}`, NotObject},
	{`{"a":-}`, NotObject},
	{`{"a":1e}`, NotObject},
	{`{"a":tru}`, NotObject},
	{`{"a":"\x"}`, NotObject},
	{`{"a":"\u12g4"}`, NotObject},
	{"{\"a\":\"\n\"}", NotObject},
	{`{"a":[1,]}`, NotObject},
	{`{"a" 1}`, NotObject},
	{`{a:1}`, NotObject},
	{"\ufeff" + sound, NotObject},
	{`{}`, NoFileID},
	{`{"error":{"code":"replayed"}}`, NoFileID},
	{`{"file_id":7,"file_state":{},"created_at":"2025-03-01T12:00:00Z"}`, NoFileID},
	{`{"File_ID":"a","file_state":{},"created_at":"2025-03-01T12:00:00Z"}`, NoFileID},
	{`{"file_id":"a","file_state":"PROCESSING","created_at":"2025-03-01T12:00:00Z"}`, NoFileState},
	{`{"file_id":"a","file_state":[],"created_at":"2025-03-01T12:00:00Z"}`, NoFileState},
	{`{"file_id":"a","file_state":{}}`, NoCreatedAt},
	{`{"file_id":"a","file_state":{},"created_at":null}`, NoCreatedAt},
	{`{"file_id":"a","file_state":{},"created_at":1740830400}`, NoCreatedAt},
	{`{"file_id":"a","file_state":{},"created_at":"2025-03-01T12:00:00"}`, NoCreatedAt},
	{`{"file_id":"a","file_state":{},"created_at":"2025-02-29T12:00:00Z"}`, NoCreatedAt},
	{`{"file_id":"a","file_state":{},"created_at":"2025-03-01 12:00:00Z"}`, NoCreatedAt},
	{`{"file_id":"a","file_state":{},"created_at":"2025-03-01T24:00:00Z"}`, NoCreatedAt},
	{`{"file_id":"a","file_state":{},"created_at":"2025-03-01T12:00:00.Z"}`, NoCreatedAt},
	{`{"file_id":"a","file_state":{},"created_at":"2025-03-01T12:00:00,5Z"}`, NoCreatedAt},
	{`{"file_id":"a","file_state":{},"created_at":"2025-03-01T12:00:00+0300"}`, NoCreatedAt},
	{`{"file_id":"a","file_state":{},"created_at":"2025-03-01T12:00:00+25:00"}`, NoCreatedAt},
}

func TestInspect(t *testing.T) {
	for _, c := range answers {
		if got := Inspect([]byte(c.body)); got != c.want {
			t.Errorf("%q: %v, expected %v", c.body, got, c.want)
		}
		if got := inspectSlowly([]byte(c.body)); got != c.want {
			t.Errorf("%q: encoding/json finds %v, expected %v", c.body, got, c.want)
		}
	}
	for _, depth := range []int{deepest - 2, deepest + 10, 9_990, 20_000} {
		body := strings.Replace(sound, "{}", strings.Repeat(`[`, depth)+strings.Repeat(`]`, depth), 1)
		body = strings.Replace(body, `"PROCESSING"`, strings.Repeat(`[`, depth)+strings.Repeat(`]`, depth), 1)
		if got, want := Inspect([]byte(body)), inspectSlowly([]byte(body)); got != want {
			t.Errorf("nested %d deep: %v, encoding/json finds %v", depth, got, want)
		}
	}
}

func agree(t interface{ Fatalf(string, ...any) }, body []byte) {
	if quick, ok := scan(body); ok {
		if slow := inspectSlowly(body); quick != slow {
			t.Fatalf("%q: the scanner finds %v, encoding/json %v", body, quick, slow)
		}
	}
}

func FuzzInspect(f *testing.F) {
	for _, c := range answers {
		f.Add([]byte(c.body))
	}
	f.Fuzz(func(t *testing.T, body []byte) { agree(t, body) })
}

// TestTheScannerAgreesWithEncodingJSON spoils sound answers in the places that matter.
func TestTheScannerAgreesWithEncodingJSON(t *testing.T) {
	pieces := []string{`"`, `\`, `{`, `}`, `[`, `]`, `,`, `:`, `0`, `9`, `-`, `+`, `.`, `e`, `T`, `Z`, `null`, `true`, `\u00`, `\n`, "\n", " ", "\x00", "\xff", `"file_id"`, `"file_state":{}`, `:""`}
	rapid.Check(t, func(t *rapid.T) {
		body := []byte(rapid.SampledFrom(answers).Draw(t, "answer").body)
		for range rapid.IntRange(0, 4).Draw(t, "edits") {
			at := rapid.IntRange(0, len(body)).Draw(t, "at")
			until := min(len(body), at+rapid.IntRange(0, 3).Draw(t, "cut"))
			body = slices.Concat(body[:at], []byte(rapid.SampledFrom(pieces).Draw(t, "piece")), body[until:])
		}
		agree(t, body)
	})
}

func TestDateTimesAgreeWithTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		two := func(most int) string { return fmt.Sprintf("%02d", rapid.IntRange(0, most).Draw(t, "part")) }
		zone := rapid.SampledFrom([]string{"Z", "z", "", "+" + two(30) + ":" + two(70), "-03:00", "+03", "ZZ"}).Draw(t, "zone")
		fraction := rapid.SampledFrom([]string{"", ".5", ".123456789", ".", ",5", ".0000000000000000001"}).Draw(t, "fraction")
		text := rapid.SampledFrom([]string{"1900", "2000", "2024", "0000", "2025"}).Draw(t, "year") + "-" + two(14) + "-" + two(33) + "T" + two(26) + ":" + two(62) + ":" + two(62) + fraction + zone
		quoted, _ := json.Marshal(text)
		body := `{"file_id":"a","file_state":{},"created_at":` + string(quoted) + `}`
		agree(t, []byte(body))
		if _, ok := scan([]byte(body)); !ok {
			t.Fatalf("%s is left to encoding/json", body)
		}
	})
}

func TestClasses(t *testing.T) {
	nowhere := `{"error":{"code":"replayed"}}`
	noState := `{"file_id":"a","file_state":null,"created_at":"2025-03-01T12:00:00Z"}`
	for i, m := range rules.Modes() {
		for _, c := range []struct {
			known, status int
			body          string
			expect        Expect
			want          Class
			rule          string
		}{
			{0, 200, sound, Pass, Accepted, ""},
			{0, 202, sound, Either, Accepted, ""},
			{0, 201, sound, Block, MissedBlock, "replay." + m.Name + ".same"},
			{0, 201, noState, Block, MissedBlock, "replay." + m.Name + ".same"},
			{0, 200, nowhere, Block, Malformed, "replay.blocked_is_4xx"},
			{0, 302, "", Block, Malformed, "replay.blocked_is_4xx"},
			{0, 302, "", Pass, Malformed, "export.success"},
			{0, 999, "", Pass, Malformed, "export.success"},
			{0, 200, nowhere, Pass, Malformed, "export.response.file_id"},
			{0, 200, noState, Pass, Malformed, "export.response.file_state"},
			{0, 204, "", Pass, Malformed, "export.response.json"},
			{0, 409, nowhere, Block, Blocked, ""},
			{0, 400, nowhere, Block, Blocked, ""},
			{0, 409, nowhere, Either, Blocked, ""},
			{0, 409, nowhere, Pass, FalseBlock, "replay." + m.Name + ".first"},
			{0, 422, nowhere, Pass, FalseBlock, "replay." + m.Name + ".first"},
			{409, 409, nowhere, Pass, FalseBlock, "replay." + m.Name + ".first"},
			{409, 422, nowhere, Pass, ClientError, ""},
			{409, 422, nowhere, Block, Blocked, ""},
			{429, 429, nowhere, Block, Blocked, ""},
			{429, 429, nowhere, Pass, Throttled, ""},
			{403, 403, nowhere, Block, Blocked, ""},
			{403, 403, nowhere, Pass, ClientError, ""},
			{0, 429, "", Pass, Throttled, ""},
			{0, 429, "", Block, Throttled, ""},
			{0, 401, "", Block, ClientError, ""},
			{0, 403, "", Pass, ClientError, ""},
			{0, 500, "", Pass, ServerError, ""},
			{0, 503, "", Block, ServerError, ""},
		} {
			got := New(Options{BlockStatus: c.known}).Answer(c.status, []byte(c.body), c.expect, i)
			if got != (Verdict{Class: c.want, Rule: c.rule}) {
				t.Errorf("%s, %d expected to %v, blocks are %d: %+v, expected %v %s", m.Name, c.status, c.expect, c.known, got, c.want, c.rule)
			}
			if c.rule != "" && !slices.ContainsFunc(rules.All(), func(r rules.Rule) bool { return r.ID == c.rule }) {
				t.Errorf("the catalogue has no rule %s", c.rule)
			}
			if (c.rule != "") != got.Class.Violation() {
				t.Errorf("%v with rule %q", got.Class, got.Rule)
			}
		}
	}
	names := map[string]bool{}
	for c := range Class(NumClasses) {
		names[c.String()] = true
	}
	if len(names) != NumClasses || Class(200).String() != "unknown" {
		t.Errorf("classes share names: %v", names)
	}
}

func TestFailures(t *testing.T) {
	names := map[string]bool{}
	for f := range Failure(NumFailures) {
		names[f.String()] = true
	}
	if len(names) != NumFailures {
		t.Errorf("failures share names: %v", names)
	}
	wrapped := func(err error) error {
		return fmt.Errorf("sending: %w", &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", err)})
	}
	late, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	for _, c := range []struct {
		err  error
		want Failure
	}{
		{nil, NoFailure},
		{wrapped(syscall.ECONNREFUSED), Refused},
		{wrapped(syscall.ECONNRESET), Reset},
		{wrapped(syscall.EPIPE), Reset},
		{wrapped(syscall.EADDRNOTAVAIL), NoPorts},
		{wrapped(syscall.EMFILE), NoFiles},
		{wrapped(syscall.EHOSTUNREACH), Unreachable},
		{wrapped(syscall.ETIMEDOUT), TimedOut},
		{context.Canceled, Canceled},
		{late.Err(), TimedOut},
		{os.ErrDeadlineExceeded, TimedOut},
		{io.ErrUnexpectedEOF, Closed},
		{fmt.Errorf("%w: 1 MiB of headers", ErrProtocol), BadProtocol},
		{&net.DNSError{Err: "no such host", IsNotFound: true}, NameUnknown},
		{tls.AlertError(42), TLSFailed},
		{errors.New("something else"), OtherFailure},
	} {
		if got := FailureOf(c.err); got != c.want {
			t.Errorf("%v is %q, expected %q", c.err, got, c.want)
		}
	}
	v := New(Options{}).Failed(os.ErrDeadlineExceeded)
	if v.Class != Timeout || v.Failure != TimedOut {
		t.Errorf("a timeout is %+v", v)
	}
	if v := New(Options{}).Failed(io.EOF); v.Class != TransportError || v.Failure != Closed || NoPorts.Ours() != true || Reset.Ours() {
		t.Errorf("an end is %+v", v)
	}
}

func get(client *http.Client, url string) error {
	answer, err := client.Get(url)
	if err == nil {
		answer.Body.Close()
	}
	return err
}

// TestFailuresOfRealConnections looks at errors as net/http gives them.
func TestFailuresOfRealConnections(t *testing.T) {
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = nil
	secure.StartTLS()
	defer secure.Close()
	release := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer slow.Close()
	defer close(release)
	gone := httptest.NewServer(nil)
	gone.Close()
	client := &http.Client{Timeout: 50 * time.Millisecond, Transport: &http.Transport{DisableKeepAlives: true}}
	for url, want := range map[string]Failure{slow.URL: TimedOut, gone.URL: Refused} {
		err := get(client, url)
		if got := FailureOf(err); got != want {
			t.Errorf("%v is %q, expected %q", err, got, want)
		}
	}
	patient := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	err := get(patient, secure.URL) // its certificate is not trusted
	if got := FailureOf(err); got != TLSFailed {
		t.Errorf("%v is %q", err, got)
	}
}

func TestAcceptedAnswersAllocateNothing(t *testing.T) {
	j, body, block := New(Options{}), []byte(sound), []byte(`{"error":{"code":"replayed"}}`)
	if n := testing.AllocsPerRun(1000, func() {
		if j.Answer(201, body, Pass, 1).Class != Accepted || j.Answer(409, block, Block, 1).Class != Blocked {
			panic("judged wrongly")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestFileID(t *testing.T) {
	if id, ok := FileID([]byte(`{"file_id":"\u00e9"}`)); id != "é" || !ok {
		t.Errorf("%q %v", id, ok)
	}
	for _, body := range []string{``, `{}`, `{"file_id":""}`, `{"file_id":null}`, `{"file_id":1}`, `[]`} {
		if id, ok := FileID([]byte(body)); ok {
			t.Errorf("%s has the file ID %q", body, id)
		}
	}
}

func BenchmarkAnswer(b *testing.B) {
	j, body := New(Options{}), []byte(`{"file_id":"0e0ff34a-6b1c-4f7e-9a55-6e9c5f0a1b2c","file_state":{"state":"PROCESSING"},"created_at":"2025-03-01T12:00:00.123Z"}`)
	b.ReportAllocs()
	for b.Loop() {
		j.Answer(201, body, Pass, 1)
	}
}
