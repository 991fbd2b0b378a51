package har

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/must"
)

const (
	testToken = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ0ZXN0LXVzZXItMTIzNDU2In0.s1gnatureS1gnatureS1gnature_-x"
	testKey   = "k3y/with+odd=chars&more%"
	testOther = "other-user-secret-value"
)

func testDeployment(t *testing.T, h http.HandlerFunc) *deployment.File {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	text := "name: t\nbase_url: " + s.URL + "\ncredentials: {platform_token: " + testToken + ", api_key: '" + testKey +
		"', other_user: " + testOther + "}\n"
	dep := must.Get(deployment.Parse("d.yaml", "", []byte(text), os.LookupEnv))(t)
	dep.Limits.RequestsPerSecond = 0
	return dep
}

func newClient(t *testing.T, dep *deployment.File, observe func(*client.Exchange)) *client.Client {
	t.Helper()
	c := must.Get(client.New(dep, client.Options{OnExchange: observe}))(t)
	t.Cleanup(c.Close)
	return c
}

func TestHARIsValidAfterEveryAppend(t *testing.T) {
	dep := testDeployment(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = w.Write(body)
	})
	path := filepath.Join(t.TempDir(), "x.har")
	har := must.Get(Create(path, "gateassay", "1.2.3"))(t)
	if _, err := Create(path, "gateassay", "1.2.3"); err == nil {
		t.Fatal("an existing file was overwritten")
	}
	info, _ := os.Stat(path)
	if info.Mode().Perm() != 0o600 {
		t.Fatal(info.Mode())
	}
	n := 0
	check := func() {
		t.Helper()
		raw := must.Get(os.ReadFile(path))(t)
		checkHAR(t, raw, n)
	}
	check()
	c := newClient(t, dep, func(x *client.Exchange) {
		if err := har.Append(x); err != nil {
			t.Error(err)
		}
		n++
	})
	for _, b := range []string{"", `{"a":1}`, "\xff\xfe binary", "é\u2028</script>"} {
		c.Once(t.Context(), &client.Request{
			Label: "a post", Operation: client.Export, Path: "/x?b=2&a=1", Body: []byte(b),
			Header: http.Header{"content-type": {"application/json"}},
		})
		check()
	}
	must.Succeed(t, har.Close())
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
	h := must.Get(Create(path, "gateassay", "test"))(t)
	h.end += mostBodies // as if so much were there
	x := &client.Exchange{
		Seq:      1,
		Recorded: client.Record{Method: "GET", URL: "http://a/", ResponseBody: []byte("body that is left out")},
	}
	must.Succeed(t, errors.Join(h.Append(x), h.Close()))
	f := must.Get(os.Open(path))(t)
	defer f.Close()
	tail := make([]byte, 4096)
	n, _ := f.ReadAt(tail, mostBodies)
	if text := string(tail[:n]); strings.Contains(text, "body that is left out") ||
		!strings.Contains(text, "this file holds 60 MiB") {
		t.Error(text)
	}
}
