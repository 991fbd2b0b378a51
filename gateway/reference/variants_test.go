package reference

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.uber.org/goleak"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/statement"
)

func TestMain(m *testing.M) {
	if folder := os.Getenv(serveFrom); folder != "" {
		serveUntilKilled(folder)
	}
	goleak.VerifyTestMain(m)
}

// start runs a gateway and reads its own deployment file.
func start(t *testing.T, opts Options) (*Running, *deployment.File) {
	t.Helper()
	running, err := Start(t.Context(), ":0", opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(running.Close)
	file, err := deployment.Parse("reference.yaml", ".", running.Gateway.DeploymentYAML(running.URL),
		func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	return running, file
}

// fileIDOf asks for an export until something other than trouble of the transport comes back.
func fileIDOf(t *testing.T, c *client.Client, dep *deployment.File, body string) string {
	t.Helper()
	for range 20 {
		x := c.Send(t.Context(), func(int) *client.Request {
			return &client.Request{
				Operation: client.Export, Path: dep.Export.Path, Credential: dep.Credentials.Main(), Body: []byte(body),
				Header: http.Header{
					"Nonce": {uuid.NewString()}, "Content-Type": {"application/json"},
					"X-Include-Replay-Protection-Schema": {"nonce"},
				},
			}
		})
		if !x.Success() {
			continue
		}
		return unwrapped(x.Body)["file_id"].(string)
	}
	t.Fatal("no export was accepted")
	return ""
}

// unwrapped is an answer without the envelope that some variant puts around it; nil: it is not a JSON object.
func unwrapped(body []byte) object {
	answer, _ := decode(body)
	if inner, ok := answer["data"].(object); ok {
		return inner
	}
	return answer
}

func TestDeploymentFileOfEveryVariantFetchesAFile(t *testing.T) {
	for _, v := range Variants() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			choices := v.Choices
			choices.FileDelay = min(choices.FileDelay, 100*time.Millisecond)
			running, dep := start(t, Options{Seed: 3, Choices: choices})
			c, err := client.New(dep, client.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			body := "{}"
			if slices.Contains(choices.Readings, "extension-required") {
				body = `{"type_extension":"CSV"}`
			}
			id := fileIDOf(t, c, dep, body)
			if v.Choices.MinimalFile {
				if _, err := c.FetchWith(t.Context(), id, dep.Credentials.Main(), client.FetchOptions{}); err == nil {
					t.Error("a file was fetched although the deployment file does not say how")
				}
				return
			}
			got, err := c.FetchWith(t.Context(), id, dep.Credentials.Main(), client.FetchOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if slices.Contains(choices.Readings, "title-lines") {
				if !strings.Contains(string(got.Bytes), "\nid,client_id,") ||
					strings.HasPrefix(string(got.Bytes), "id,") {
					t.Errorf("no lines before the titles: %.80s", got.Bytes)
				}
				return
			}
			zone := time.UTC
			if dep.Export.CSV.TimeZone != "" {
				if zone, err = time.LoadLocation(dep.Export.CSV.TimeZone); err != nil {
					t.Fatal(err)
				}
			}
			_, table, broken, alien := statement.Read(bytes.NewReader(got.Bytes), dep.Export.CSV.Columns, zone,
				statement.Keep{})
			if broken != nil || alien != nil {
				t.Fatal(broken, alien)
			}
			wallet, want := dep.Fixtures.DefaultWalletID, 0
			for _, q := range running.Gateway.data.main.person.quotes {
				if q.wallet == wallet && q.product == dep.Fixtures.ProductID {
					want++
				}
			}
			if rows := len(table.Quotes()); rows != want || want < 60 {
				t.Errorf("%d rows, want %d", rows, want)
			}
			if precision := table.Precision(statement.CreatedAt); precision != time.Millisecond {
				t.Errorf("dates are shown to %v", precision)
			}
		})
	}
}

// inOwnNames is a sound create request by the names of the gateway.
func inOwnNames(g tried) object {
	body := object{}
	for _, field := range requestFields {
		var value any = g.person()
		for step := range strings.SplitSeq(cmp.Or(recordPaths[field], field), ".") {
			value = value.(object)[step]
		}
		if field == "address.number" && g.choices.NumberAsText {
			value = "1578"
		}
		at, steps := body, g.paths[field]
		if field == "address" {
			continue
		}
		for _, step := range steps[:len(steps)-1] {
			if at[step] == nil {
				at[step] = object{}
			}
			at = at[step].(object)
		}
		at[steps[len(steps)-1]] = value
	}
	return body
}

func TestEveryVariantCreatesAndRejects(t *testing.T) {
	for _, v := range Variants() {
		if v.Choices.FlakyShare+v.Choices.CrashShare+v.Choices.RateLimit > 0 {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			g := try(t, v.Choices)
			send := func(body object, id string) (int, object) {
				names := g.choices.CreateHeaders
				w := g.send("POST", g.choices.BasePath+createPath, strings.NewReader(jsonOf(body)), names.TransactionID, id,
					names.Nonce, uuid.NewString(), "x-product-uuid", g.data.main.person.products[0])
				return w.Code, unwrapped(w.Body.Bytes())
			}
			id := uuid.NewString()
			status, record := send(inOwnNames(g), id)
			if status != 201 || fmt.Sprint(record["address"].(object)["number"]) != "1578" ||
				record["representor_type"] != "ATTORNEY" {
				t.Fatalf("sound: %d %v", status, record)
			}
			if status, again := send(inOwnNames(g),
				id); status != g.choices.RepeatStatus || status != 409 && again["id"] != record["id"] {
				t.Errorf("repeat: %d %v", status, again["id"])
			}
			for _, field := range []string{"mother_name", "email"} {
				broken := with(inOwnNames(g), strings.Join(g.paths[field], "."), gone)
				if status, _ := send(broken, uuid.NewString()); status != g.choices.InvalidStatus {
					t.Errorf("without %s: %d, want %d", field, status, g.choices.InvalidStatus)
				}
			}
		})
	}
}

// Each reading is one that some variant has.
func TestVariantsHaveEveryReading(t *testing.T) {
	had := map[string]bool{}
	for _, v := range Variants() {
		for _, name := range v.Choices.Readings {
			had[name] = true
		}
	}
	for _, r := range readings() {
		if !had[r.Name] {
			t.Errorf("no variant has the reading %s: %s", r.Name, r.Statement)
		}
	}
}

func TestForeignDownloadsRefuseCredentials(t *testing.T) {
	running, _ := start(t, Options{Choices: Choices{Retrieval: ByForeignAddress}})
	g := tried{Gateway: running.Gateway}
	answer := objectOf(t, g.export("{}"))
	address, _ := objectOf(t, g.send("GET", "/v1/files/"+answer["file_id"].(string), nil))["url"].(string)
	parsed, err := url.Parse(address)
	if err != nil || "http://"+parsed.Host == running.URL {
		t.Fatalf("download address %q lies on the gateway's origin", address)
	}
	for header, want := range map[string]int{"": 200, "Authorization": 400, "x-api-key": 400} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if header != "" {
			r.Header.Set(header, "anything")
		}
		if got := fetchStatus(t, r); got != want {
			t.Errorf("with %q: %d, want %d", header, got, want)
		}
	}
}

func fetchStatus(t *testing.T, r *http.Request) int {
	t.Helper()
	transport := &http.Transport{DisableKeepAlives: true}
	w, err := transport.RoundTrip(r)
	if err != nil {
		return 0
	}
	defer func() { _ = w.Body.Close() }()
	if _, err := io.Copy(io.Discard, w.Body); err != nil {
		t.Fatal(err)
	}
	return w.StatusCode
}

func TestRateLimitAndFlakiness(t *testing.T) {
	limited := try(t, Choices{RateLimit: 1})
	first, second := limited.export("{}"), limited.export("{}")
	if first.Code != 200 || second.Code != 429 || second.Header().Get("Retry-After") == "" {
		t.Errorf("got %d and %d, Retry-After %q", first.Code, second.Code, second.Header().Get("Retry-After"))
	}
	flaky, counts := try(t, Choices{FlakyShare: 0.5}), map[int]int{}
	for range 400 {
		counts[flaky.export("{}").Code]++
	}
	kept := len(flaky.store.young[files])
	if counts[200] < 100 || counts[503] < 50 || counts[0] < 50 || kept != counts[200] {
		t.Errorf("%v, %d files", counts, kept)
	}
}

func TestCloseEndsEverythingHoweverOften(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	running, err := Start(ctx, ":0", Options{Choices: Choices{Retrieval: ByForeignAddress}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Start(ctx, strings.TrimPrefix(running.URL, "http://"), Options{}); err == nil {
		t.Error("an address that is taken was listened on")
	}
	cancel()
	var all sync.WaitGroup
	for range 3 {
		all.Go(running.Close)
	}
	all.Wait()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, running.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := fetchStatus(t, r); got != 0 {
		t.Errorf("it still answers: %d", got)
	}
}

func BenchmarkExport(b *testing.B) {
	g := try(b, Choices{})
	for b.Loop() {
		if w := g.export(`{"sort":"settled_date"}`); w.Code != 200 {
			b.Fatal(w.Code)
		}
	}
}
