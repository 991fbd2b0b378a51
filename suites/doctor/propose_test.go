package doctor_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/doctor"
)

func nothing(string) (string, bool) { return "", false }

// given is what a deployment file has to give before anything is asked.
func given(dep *deployment.File, shareholder bool) []deployment.Setting {
	settings := []deployment.Setting{
		{Key: "name", Value: "asked"},
		{Key: "base_url", Value: fmt.Sprintf("%q", dep.BaseURL)},
		{Key: "credentials.platform_token", Value: fmt.Sprintf("%q", dep.Credentials.PlatformToken.Value)},
	}
	if shareholder {
		settings = append(settings, deployment.Setting{
			Key:   "fixtures.shareholder_id",
			Value: dep.Fixtures.ShareholderID,
		})
	}
	return settings
}

func parse(t *testing.T, settings []deployment.Setting) *deployment.File {
	t.Helper()
	dep, err := deployment.Parse("asked", ".", deployment.Template(settings), nothing)
	if err != nil {
		t.Fatal(err)
	}
	return dep
}

func ask(t *testing.T, settings []deployment.Setting) doctor.Proposal {
	t.Helper()
	dep := parse(t, settings)
	c, err := client.New(dep, client.Options{MaxCreates: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return doctor.Propose(t.Context(), dep, c)
}

// What a survey finds on deployments that differ is what their own deployment files say.
func TestFindsWhatTheDeploymentFileWouldSay(t *testing.T) {
	for _, name := range []string{
		"", "other-names", "direct", "foreign-download", "per-document", "excel",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := reference.Options{Seed: 1}
			if name != "" {
				variant, err := reference.FindVariant(name)
				if err != nil {
					t.Fatal(err)
				}
				o.Choices = variant.Choices
			}
			running, err := reference.Start(context.WithoutCancel(t.Context()), "127.0.0.1:0", o)
			if err != nil {
				t.Fatal(err)
			}
			defer running.Close()
			truth, err := deployment.Parse("truth", ".", running.Gateway.DeploymentYAML(running.URL), nothing)
			if err != nil {
				t.Fatal(err)
			}
			found := ask(t, given(truth, false))
			if found.Obstacle != nil || found.Sent > doctor.MostRequests || found.Created != 0 {
				t.Fatalf("%d requests, %d created: %v", found.Sent, found.Created, found.Obstacle)
			}
			dep := parse(t, deployment.With(given(truth, true), found.Settings))
			if dep.LegalRepresentative.Headers != truth.LegalRepresentative.Headers && name != "other-names" {
				t.Errorf("headers: found %+v, want %+v", dep.LegalRepresentative.Headers,
					truth.LegalRepresentative.Headers)
			}
			if got, want := dep.LegalRepresentative.Headers.TransactionID,
				truth.LegalRepresentative.Headers.TransactionID; got != want {
				t.Errorf("transaction_id: found %s, want %s", got, want)
			}
			if got, want := dep.LegalRepresentative.Headers.Nonce,
				truth.LegalRepresentative.Headers.Nonce; got != want {
				t.Errorf("nonce: found %s, want %s", got, want)
			}
			if dep.Export.File == nil {
				t.Fatalf("the retrieval was not found: %v", found.Missing)
			}
			got, want := *dep.Export.File, *truth.Export.File
			if got.Request != want.Request || got.URL != want.URL {
				t.Errorf("file: found %+v, want %+v", got, want)
			}
			if got.State != nil && (got.State.Pointer != want.State.Pointer ||
				!slices.Equal(got.State.Ready, want.State.Ready)) {
				t.Errorf("state: found %+v, want %+v", got.State, want.State)
			}
			if dep.Fixtures.Window == nil || dep.Fixtures.DefaultWalletID != truth.Fixtures.DefaultWalletID ||
				dep.Fixtures.ClientID == "" {
				t.Errorf("fixtures: found %+v, want %+v", dep.Fixtures, truth.Fixtures)
			}
		})
	}
}

// Nothing is written down that was not seen: names that no answer shows stay open, and are said to.
func TestWhatIsNotSeenStaysOpen(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.HasSuffix(r.URL.Path, "/exports") && r.Method == http.MethodPost:
			_, _ = w.Write([]byte(`{"file_id":"17","file_state":{},"created_at":"2025-01-01T00:00:00Z"}`))
		case r.Method == http.MethodPost:
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"message":"bad request"}`))
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer server.Close()
	found := ask(t, []deployment.Setting{
		{Key: "name", Value: "mute"},
		{Key: "base_url", Value: fmt.Sprintf("%q", server.URL)},
		{Key: "credentials.platform_token", Value: "tokentokentoken"},
	})
	for _, s := range found.Settings {
		if s.Key != "export.path" {
			t.Errorf("found %s: %s (%s), and nothing of that was seen", s.Key, s.Value, s.Comment)
		}
	}
	all := strings.Join(found.Missing, "\n")
	for _, want := range []string{"export.file.request", "headers"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is not said to be open:\n%s", want, all)
		}
	}
	if found.Obstacle != nil || found.Sent > doctor.MostRequests {
		t.Errorf("%d requests: %v", found.Sent, found.Obstacle)
	}
}

// A deployment whose every answer differs shows nothing about headers, and the bound on requests holds.
func TestNoiseIsNotTakenForNames(t *testing.T) {
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/exports") && r.Method == http.MethodPost {
			_, _ = w.Write([]byte(`{"file_id":"17"}`))
			return
		}
		n++
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprintf(w, `{"trace":"%s"}`, strings.Repeat("x", n))
	}))
	defer server.Close()
	found := ask(t, []deployment.Setting{
		{Key: "name", Value: "noise"},
		{Key: "base_url", Value: fmt.Sprintf("%q", server.URL)},
		{Key: "credentials.platform_token", Value: "tokentokentoken"},
	})
	for _, s := range found.Settings {
		if strings.Contains(s.Key, "headers") {
			t.Errorf("found %s: %s", s.Key, s.Value)
		}
	}
	if found.Sent > doctor.MostRequests {
		t.Errorf("%d requests", found.Sent)
	}
}

func TestAnUnusableDeploymentIsNamed(t *testing.T) {
	found := ask(t, []deployment.Setting{
		{Key: "name", Value: "dead"},
		{Key: "base_url", Value: "http://127.0.0.1:9"},
		{Key: "credentials.platform_token", Value: "tokentokentoken"},
	})
	if found.Obstacle == nil || !strings.Contains(found.Obstacle.Cause, "No connection") || len(found.Settings) != 0 {
		t.Errorf("%v, %v", found.Obstacle, found.Settings)
	}
}
