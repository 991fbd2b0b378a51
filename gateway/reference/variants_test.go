package reference

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/testmust"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start starts a gateway and parses its deployment file.
func start(t *testing.T, opts Options) (*RunningGateway, *deployment.File) {
	t.Helper()
	running := testmust.Get(Start(t.Context(), ":0", opts))(t)
	t.Cleanup(running.Close)
	file := testmust.Get(deployment.Parse("reference.yaml", ".",
		running.Gateway.DeploymentYAML(running.URL), func(string) (string, bool) { return "", false }))(t)
	return running, file
}

func TestTheDeploymentFileOfEveryVariantIsValid(t *testing.T) {
	for _, v := range Variants() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			if _, file := start(t, Options{Seed: 3, Choices: v.Choices}); file.Credentials.Main() == nil {
				t.Error("it has no credential")
			}
		})
	}
}

// TestVariantsHaveEveryReading checks that each reading belongs to a variant.
func TestVariantsHaveEveryReading(t *testing.T) {
	had := map[string]bool{}
	for _, v := range Variants() {
		for _, name := range v.Choices.Readings {
			had[name] = true
		}
	}
	for name := range allowedReadings() {
		if !had[name] {
			t.Errorf("no variant has the reading %s", name)
		}
	}
}

func TestForeignDownloadsRefuseCredentials(t *testing.T) {
	running, _ := start(t, Options{Choices: Choices{Retrieval: RetrievalByForeignURL}})
	g := tried{Gateway: running.Gateway}
	answer := objectOf(t, g.export("{}"))
	address, _ := objectOf(t,
		g.send("GET", "/v1/files/"+answer["file_id"].(string), nil))["url"].(string)
	parsed, err := url.Parse(address)
	if err != nil || "http://"+parsed.Host == running.URL {
		t.Fatalf("download address %q lies on the gateway's origin", address)
	}
	for header, want := range map[string]int{"": 200, "Authorization": 400, "x-api-key": 400} {
		testmust.Equal(t, fetchStatus(t, address, header, "anything"), want, header)
	}
}

// fetchStatus fetches with an optional extra header and returns the status; 0: no answer.
func fetchStatus(t *testing.T, address, header, value string) int {
	t.Helper()
	r := testmust.Get(http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil))(t)
	if header != "" {
		r.Header.Set(header, value)
	}
	transport := &http.Transport{DisableKeepAlives: true}
	w, err := transport.RoundTrip(r)
	if err != nil {
		return 0
	}
	defer func() { _ = w.Body.Close() }()
	testmust.Get(io.Copy(io.Discard, w.Body))(t)
	return w.StatusCode
}

func TestRateLimitAndFlakiness(t *testing.T) {
	limited := try(t, Choices{RateLimit: 1})
	first, second := limited.export("{}"), limited.export("{}")
	if first.Code != 200 || second.Code != 429 || second.Header().Get("Retry-After") == "" {
		t.Errorf("got %d and %d, Retry-After %q", first.Code, second.Code,
			second.Header().Get("Retry-After"))
	}
	flaky, counts := try(t, Choices{FailingShare: 0.75}), map[int]int{}
	for range 800 {
		counts[flaky.export("{}").Code]++
	}
	kept := 0
	for key := range flaky.store.young {
		if strings.HasPrefix(key, "file ") {
			kept++
		}
	}
	if counts[200] < 100 || counts[503] < 50 || counts[0] < 50 || kept != counts[200] {
		t.Errorf("%v, %d files", counts, kept)
	}
}

func TestCloseEndsEverythingHoweverOften(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	running := testmust.Get(Start(ctx, ":0",
		Options{Choices: Choices{Retrieval: RetrievalByForeignURL}}))(t)
	if _, err := Start(ctx, strings.TrimPrefix(running.URL, "http://"), Options{}); err == nil {
		t.Error("an address that is taken was listened on")
	}
	cancel()
	var all sync.WaitGroup
	for range 3 {
		all.Go(running.Close)
	}
	all.Wait()
	testmust.Equal(t, fetchStatus(t, running.URL, "", ""), 0, "it still answers")
}

func TestFaultsAreDeclaredOnce(t *testing.T) {
	named, changed := map[string]bool{}, map[string]bool{}
	for _, f := range Faults() {
		if named[f.Name] {
			t.Errorf("%s is declared twice", f.Name)
		}
		named[f.Name] = true
		if f.Statement == "" || f.Rule == "" {
			t.Errorf("%s does not say what it does, or what it breaks", f.Name)
		}
	}
	for _, topic := range faultChanges() {
		for name := range topic {
			if changed[name] || !named[name] {
				t.Errorf("%s is declared twice, or faults.tsv lacks it", name)
			}
			changed[name] = true
		}
	}
}
