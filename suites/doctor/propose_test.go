package doctor_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
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
				fx.DefaultWalletID != truth.Fixtures.DefaultWalletID ||
				fx.ClientID == "" {
				t.Errorf("fixtures: found %+v, want %+v", fx, truth.Fixtures)
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
