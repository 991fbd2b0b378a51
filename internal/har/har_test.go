package har

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/testmust"
)

func TestHARIsValidAfterEveryAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.har")
	har := testmust.Get(Create(path, "gateassay", "1.2.3"))(t)
	if _, err := Create(path, "gateassay", "1.2.3"); err == nil {
		t.Fatal("an existing file was overwritten")
	}
	info, _ := os.Stat(path)
	if info.Mode().Perm() != 0o600 {
		t.Fatal(info.Mode())
	}
	checkHAR(t, testmust.Get(os.ReadFile(path))(t), 0)
	for i, b := range []string{"", `{"a":1}`, "\xff\xfe binary", "é\u2028</script>"} {
		testmust.Succeed(t, har.Append(&client.Exchange{
			Seq: i +
				1, Label: "a post", Operation: client.OperationExport, Attempt: 1, StartedAt: time.Now(),
			Queued: time.Millisecond, Service: 3 * time.Second, FirstByte: time.Second,
			Recorded: client.Record{
				Method: "POST", URL: "http://a/x?b=2&a=1", RequestBody: []byte(b), ResponseBody: []byte(b),
				RequestHeader: http.Header{"content-type": {"application/json"}}, Status: 200,
			},
		}))
		checkHAR(t, testmust.Get(os.ReadFile(path))(t), i+1)
	}
	testmust.Succeed(t, har.Close())
	checkHAR(t, testmust.Get(os.ReadFile(path))(t), 4)
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
		entry := need(e,
			"startedDateTime time request response cache timings _seq _label _operation _attempt")
		request := need(entry["request"],
			"method url httpVersion cookies headers queryString headersSize bodySize")
		if post, has := request["postData"]; has {
			need(post, "mimeType text")
		}
		if len(request["queryString"].([]any)) != 2 {
			t.Fatal(request["queryString"])
		}
		response := need(entry["response"],
			"status statusText httpVersion cookies headers content redirectURL headersSize bodySize")
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

func TestTheBodiesOfAHARAreBoundedInAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.har")
	h := testmust.Get(Create(path, "gateassay", "test"))(t)
	h.end += maxBytesWithBodies // pretend that the file is long
	x := &client.Exchange{
		Seq: 1,
		Recorded: client.Record{
			Method:       "GET",
			URL:          "http://a/",
			ResponseBody: []byte("body that is left out"),
		},
	}
	testmust.Succeed(t, errors.Join(h.Append(x), h.Close()))
	f := testmust.Get(os.Open(path))(t)
	defer f.Close()
	tail := make([]byte, 4096)
	n, _ := f.ReadAt(tail, maxBytesWithBodies)
	if text := string(tail[:n]); strings.Contains(text, "body that is left out") ||
		!strings.Contains(text, "this file holds 60 MiB") {
		t.Error(text)
	}
}

// endless repeats a text forever and counts the bytes read.
type endless struct {
	text  string
	bytes int
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for n+len(e.text) <= len(p) {
		n += copy(p[n:], e.text)
	}
	e.bytes += n
	return n, nil
}

// The decoder buffers an entry until it is complete, so the length of entries must be bounded.
func TestWhatIsReadOfAStrangersFileIsBounded(t *testing.T) {
	const head, entry = `{"log":{"entries":[`, `{"_seq":1,"request":{"url":"`
	for name, c := range map[string]struct {
		head, text string
		visited    int
		most       int // bytes
	}{
		"spaces":           {"", " ", 0, maxEntryBytes},
		"a text":           {head + entry, "x", 0, 2 * maxEntryBytes},
		"lists":            {head + `{"_seq":[`, "[", 0, 2 * maxEntryBytes},
		"an entry, a text": {head + entry + `"}},` + entry, "x", 1, 3 * maxEntryBytes},
		"entries":          {head, "{},", maxEntries, 4 * maxEntries},
	} {
		rest := &endless{text: c.text}
		visited := 0
		Read(io.MultiReader(strings.NewReader(c.head), rest), func(*Entry) { visited++ })
		if visited != c.visited || rest.bytes > c.most {
			t.Errorf("%s: %d entries and %d bytes were read, expected %d and at most %d", name, visited,
				rest.bytes,
				c.visited, c.most)
		}
	}
}
