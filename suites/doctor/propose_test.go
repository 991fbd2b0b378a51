package doctor_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/settings"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/doctor"
)

func noEnvironment(string) (string, bool) { return "", false }

// given returns the settings that a deployment file must have before a proposal.
func given(url, token string) []settings.Line {
	return []settings.Line{
		{Key: "name", Value: "asked"},
		{Key: "base_url", Value: fmt.Sprintf("%q", url)},
		{Key: "credentials.platform_token", Value: fmt.Sprintf("%q", token)},
	}
}

func propose(t *testing.T, lines []settings.Line) doctor.Proposal {
	t.Helper()
	dep := testmust.Get(deployment.Parse("asked", ".", settings.Template(lines),
		noEnvironment))(t)
	c := testmust.Get(client.New(dep, client.Options{}))(t)
	defer c.Close()
	found := doctor.Propose(t.Context(), dep, c)
	if sent := c.Stats().Sent; sent > doctor.MaxProposalRequests || c.Stats().Created > 0 {
		t.Errorf("%d requests were sent, %d representatives created", sent, c.Stats().Created)
	}
	return found
}

// The proposal for different deployments has the values of their deployment files.
func TestFindsWhatTheDeploymentFileWouldSay(t *testing.T) {
	for _, name := range []string{"as documented", "other-names", "eventual", "colleague"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := reference.Options{Seed: 1}
			if variant, err := reference.FindVariant(name); err == nil {
				o.Choices = variant.Choices
				// the doctor does not wait long and does not guess titles
				o.Choices.FileDelay, o.Choices.CSV.Titles = 0, [5]string{}
				if o.Choices.Retrieval == reference.RetrievalByRelativeURL {
					// the doctor does not recognise relative addresses
					o.Choices.Retrieval = reference.RetrievalByURL
				}
			} else if name != "as documented" {
				t.Fatal(err)
			}
			running := testmust.Get(reference.Start(context.WithoutCancel(t.Context()), "127.0.0.1:0", o))(t)
			defer running.Close()
			truth := testmust.Get(deployment.Parse("truth", ".", running.Gateway.DeploymentYAML(running.URL),
				noEnvironment))(t)
			lines := given(truth.BaseURL, truth.Credentials.PlatformToken.Value)
			if truth.TLS.InsecureSkipVerify {
				lines = append(lines, settings.Line{Key: "tls.insecure_skip_verify", Value: "true"})
			}
			found := propose(t, lines)
			if found.Obstacle != nil {
				t.Fatal(found.Obstacle)
			}
			dep := testmust.Get(deployment.Parse("found", ".",
				settings.Template(settings.Replace(lines, found.Settings)), noEnvironment))(t)
			file, is := dep.Export.File, truth.Export.File
			if file == nil || file.Request != is.Request || file.URL != is.URL {
				t.Fatalf("file: found %+v, want %+v: %v", file, is, found.Missing)
			}
			if file.State != nil &&
				(file.State.Pointer != is.State.Pointer || !slices.Equal(file.State.Ready, is.State.Ready)) {
				t.Errorf("state: found %+v, want %+v", file.State, is.State)
			}
			if fx := dep.Fixtures; fx.Window == nil ||
				fx.DefaultWalletID != truth.Fixtures.DefaultWalletID || fx.ClientID == "" {
				t.Errorf("fixtures: found %+v, want %+v", fx, truth.Fixtures)
			}
		})
	}
}

// What a deployment answers cannot make its file refer to this machine, nor make it unreadable.
func TestAnswersBecomeNoReferences(t *testing.T) {
	row := "\n%d,%s,a,2025-01-01T00:00:%02dZ,2025-01-01T00:00:%02dZ"
	for name, c := range map[string]struct{ client, state, open string }{
		"a file": {
			client: "file:secret.txt", state: "file:secret.txt", open: "fixtures.client_id",
		},
		"a variable":        {client: "${SECRET}", state: "ready"},
		"several lines":     {client: "\"a\nproxy: b\"", state: "ready", open: "fixtures.client_id"},
		"a blank behind it": {client: "a", state: "ready ", open: "export.file.state"},
	} {
		t.Run(name, func(t *testing.T) {
			file := " id ,client_id,wallet_id,quote_created_at,settled_date"
			for i := range 40 {
				file += fmt.Sprintf(row, i, []string{"first", c.client}[i%2], i, i)
			}
			answers := http.NewServeMux()
			server := httptest.NewServer(answers)
			defer server.Close()
			answers.HandleFunc("POST /", func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write([]byte(`{"file_id":"17","file_state":{},"created_at":"2025-01-01T00:00:00Z"}`))
			})
			answers.HandleFunc("GET /v1/files/17", func(w http.ResponseWriter, _ *http.Request) {
				testmust.Succeed(t, json.NewEncoder(w).Encode(
					map[string]string{"${SECRET} state": c.state, "link": server.URL + "/file"}))
			})
			answers.HandleFunc("GET /file", func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write([]byte(file))
			})
			lines := given(server.URL, "tokentokentoken")
			found := propose(t, lines)
			if found.Obstacle != nil {
				t.Fatal(found.Obstacle)
			}
			dir := t.TempDir()
			testmust.Succeed(t, os.WriteFile(filepath.Join(dir, "secret.txt"), []byte("swordfish"), 0o600))
			dep := testmust.Get(deployment.Parse("found", dir,
				settings.Template(settings.Replace(lines, found.Settings)),
				func(string) (string, bool) { return "swordfish", true }))(t)
			if text := fmt.Sprintf("%+v %+v", dep.Fixtures, dep.Export); dep.Proxy != "" ||
				dep.Export.CSV.Columns.ID != "id" || strings.Contains(text, "swordfish") {
				t.Error(text)
			}
			if dep.Fixtures.ClientID != c.client && c.open != "fixtures.client_id" {
				t.Errorf("the client is %q, want %q", dep.Fixtures.ClientID, c.client)
			}
			if missing := strings.Join(found.Missing, "\n"); !strings.Contains(missing, c.open) ||
				c.open == "" && missing != "" {
				t.Errorf("missing: %s, want %s", missing, c.open)
			}
		})
	}
}

// A proposal contains observed values only, and names what is missing.
func TestWhatIsNotSeenStaysOpen(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			_, _ = w.Write([]byte(`{"file_id":"17","file_state":{},"created_at":"2025-01-01T00:00:00Z"}`))
		} else {
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer server.Close()
	found := propose(t, given(server.URL, "tokentokentoken"))
	if len(found.Settings) > 0 || found.Obstacle != nil ||
		!strings.Contains(strings.Join(found.Missing, "\n"), "export.file.request") {
		t.Errorf("%+v", found)
	}
}

func TestAnUnusableDeploymentIsNamed(t *testing.T) {
	found := propose(t, given("http://127.0.0.1:9", "tokentokentoken"))
	if found.Obstacle == nil || !strings.Contains(found.Obstacle.Cause, "No connection") ||
		len(found.Settings) != 0 {
		t.Errorf("%v, %v", found.Obstacle, found.Settings)
	}
}
