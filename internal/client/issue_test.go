package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/testmust"
)

// endpoint issues token-number-1, token-number-2 and so on, which last some seconds. status may
// refuse.
func endpoint(
	t *testing.T, seconds int, status func(n int64) int,
) (address string, count *atomic.Int64) {
	t.Helper()
	count = &atomic.Int64{}
	address = serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		n := count.Add(1)
		if refused := status(n); refused != http.StatusOK {
			w.WriteHeader(refused)
			return
		}
		id, secret, _ := r.BasicAuth()
		if id != "me" || secret != clientSecret ||
			r.FormValue("grant_type") != "client_credentials" || r.FormValue("scope") != "a b" {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = fmt.Fprintf(w, `{"error": "invalid_client", "error_description": "%s"}`, secret)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"access_token": fmt.Sprintf("token-number-%d", n), "token_type": "Bearer", "expires_in": seconds,
		})
	})
	return address, count
}

func always(int64) int { return http.StatusOK }

// issuedBy returns a deployment whose main credential is issued.
func issuedBy(address string, issuer *deployment.Issuer) *deployment.File {
	dep := testDeployment(address)
	dep.Credentials.PlatformToken = &deployment.Credential{Name: "platform_token", Issuer: issuer}
	return dep
}

const clientSecret = "s3cret-of-mine"

func oauth(address string) *deployment.Issuer {
	return &deployment.Issuer{OAuth2: &deployment.OAuth2{
		TokenURL: address, ClientID: "me", ClientSecret: clientSecret, Scope: "a b",
	}}
}

func withMain(dep *deployment.File) *Request {
	r := get("/")
	r.Credential = dep.Credentials.Main()
	return r
}

func TestATokenEndpointIsAskedOnceByAll(t *testing.T) {
	tokens, count := endpoint(t, 3600, always)
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Header.Get("Authorization"))
	})
	dep := issuedBy(address, oauth(tokens))
	testmust.Succeed(t, ObtainCredentials(t.Context(), dep))
	testmust.Equal(t, dep.Credentials.Main().Value, "token-number-1")
	one, two := newClient(t, dep, Options{}), newClient(t, dep, Options{})
	var all sync.WaitGroup
	for range 20 {
		for _, c := range []*Client{one, two} {
			all.Go(func() {
				if x := c.SendOnce(t.Context(), withMain(dep)); string(x.Body) != "Bearer token-number-1" {
					t.Errorf("%s %v", x.Body, x.Err)
				}
			})
		}
	}
	all.Wait()
	testmust.Equal(t, count.Load(), 1, "tokens were issued")
	x := one.SendOnce(t.Context(), withMain(dep))
	if curl := one.ShellScript(x.Seq); !strings.Contains(curl, "$GATEWAY_TOKEN") ||
		strings.Contains(curl, "token-number") {
		t.Error(curl)
	}
	if len(x.Leaks) != 1 || x.Leaks[0] != "platform_token in the body" ||
		strings.Contains(string(x.Recorded.ResponseBody), "token-number") {
		t.Errorf("leaks %v, %s", x.Leaks, x.Recorded.ResponseBody)
	}
}

func TestACredentialThatCannotBeObtained(t *testing.T) {
	tokens, _ := endpoint(t, 3600, always)
	broken, _ := endpoint(t, 3600, func(int64) int { return http.StatusServiceUnavailable })
	address := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a request went out") })
	blocked := serve(t,
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusProxyAuthRequired) })
	dir := t.TempDir()
	odd, wrong := filepath.Join(dir, "odd"), oauth(tokens)
	testmust.WriteFile(t, odd, "\x00a\x00b")
	wrong.OAuth2.ClientSecret = "wrong-s3cret"
	for want, issuer := range map[string]*deployment.Issuer{
		"the token endpoint answered 503":                      oauth(broken),
		"the token endpoint answered 401 Unauthorized invalid": wrong,
		"the token endpoint gave no token":                     oauth("http://127.0.0.1:1"),
		"the command false failed: exit status 1":              {Command: []string{"false"}},
		"what was issued is not a token":                       {Command: []string{"true"}},
		"neither UTF-8 text, nor UTF-16":                       {Command: []string{"cat", odd}},
		"the proxy on the way answered 407":                    oauth(blocked),
		"password into the address of the proxy":               oauth("https://login.invalid"),
		"what was issued is not a token: ":                     {Command: []string{"echo", "two words"}},
		"it prints more than 65536 bytes":                      {Command: []string{"head", "-c100000", "/dev/zero"}},
	} {
		dep := issuedBy(address, issuer)
		if issuer.OAuth2 != nil && strings.HasPrefix(issuer.OAuth2.TokenURL, "https:") {
			dep.Proxy = blocked
		}
		err := ObtainCredentials(t.Context(), dep)
		var credential *CredentialError
		if !errors.As(err, &credential) || credential.Key != "credentials.platform_token" ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		x := newClient(t, dep, Options{}).SendOnce(t.Context(), withMain(dep))
		if x.Err == nil || x.Err.Kind != TroubleUnsendable ||
			!strings.Contains(x.Err.Error(), "credentials.platform_token") {
			t.Errorf("a request ended as %v", x.Err)
		}
		if strings.Contains(fmt.Sprint(err, x.Err), "s3cret") {
			t.Errorf("shows a secret: %v, %v", err, x.Err)
		}
	}
}

func TestACommandPrintsTheToken(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "count")
	script := filepath.Join(dir, "token.sh")
	testmust.Succeed(t,
		os.WriteFile(script,
			[]byte("#!/bin/sh\necho x >>count\necho key-number-$(wc -l <count | tr -d ' ')\n"), 0o700))
	seen := make(chan string, 1)
	address := serve(t,
		func(_ http.ResponseWriter, r *http.Request) { seen <- r.Header.Get("x-api-key") })
	text := "name: a\nbase_url: " + address + "\ncredentials: {api_key: {command: [./token.sh], " +
		"refresh: 50ms}}\n"
	dep := testmust.Get(deployment.Parse("d.yaml", dir, []byte(text), os.LookupEnv))(t)
	testmust.Succeed(t, ObtainCredentials(t.Context(), dep))
	c := newClient(t, dep, Options{})
	for last, begun := "", time.Now(); last != "key-number-3"; {
		if x := c.SendOnce(t.Context(), withMain(dep)); x.Err != nil ||
			strings.Contains(c.ShellScript(x.Seq), "key-number") {
			t.Fatalf("%v %s", x.Err, c.ShellScript(x.Seq))
		}
		if last = <-seen; !strings.HasPrefix(last, "key-number-") || time.Since(begun) > 30*time.Second {
			t.Fatalf("the last key is %q", last)
		}
		time.Sleep(10 * time.Millisecond)
	}
	if data, err := os.ReadFile(path); err != nil || len(data) < 6 {
		t.Errorf("%q, %v", data, err)
	}
}

// TestATokenIsPutOnJustBeforeTheWire checks that a token which lasts a second is added when its
// request is sent, not when it queues, also in a race.
func TestATokenIsPutOnJustBeforeTheWire(t *testing.T) {
	var born sync.Map
	tokens, count := endpoint(t, 1, func(n int64) int {
		born.Store(fmt.Sprintf("Bearer token-number-%d", n), time.Now())
		return 200
	})
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if at, known := born.Load(r.Header.Get("Authorization")); !known ||
			time.Since(at.(time.Time)) > time.Second {
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
	var seen sink
	c := newClient(t, issuedBy(address, oauth(tokens)),
		Options{RequestsPerSecond: 20, OnExchange: seen.take})
	var all sync.WaitGroup
	for n := range 10 {
		all.Go(func() {
			if n == 0 {
				c.SendConcurrently(t.Context(), []*Request{withMain(c.deployment), withMain(c.deployment)})
			}
			for range 4 {
				c.SendOnce(t.Context(), withMain(c.deployment))
			}
		})
	}
	all.Wait()
	for _, x := range seen {
		testmust.Equal(t, x.Status, http.StatusOK, x.Seq, x.Err)
	}
	if len(seen) != 42 || count.Load() < 2 {
		t.Errorf("%d requests with %d tokens", len(seen), count.Load())
	}
}

// TestA401ToATokenThatNoLongerHoldsIsNoEvidence checks that a 401 counts only if its token was
// valid, or is one that the deployment file says must fail.
func TestA401ToATokenThatNoLongerHoldsIsNoEvidence(t *testing.T) {
	const stale = "eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE3MDAwMDAwMDB9.c2lnbmF0dXJlLW9mLW5vYm9keQ"
	tokens, _ := endpoint(t, 3600, always)
	var replaceToken func() // while its request is in flight
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.Header.Get("Authorization") {
		case "Bearer token-number-1":
			replaceToken()
			w.WriteHeader(http.StatusUnauthorized)
		case "Bearer " + stale:
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
	given := func(name string) *deployment.Credential {
		return &deployment.Credential{Name: name, Method: deployment.AuthBearer, Value: stale}
	}
	replaced := oauth(tokens)
	replaced.Refresh = time.Nanosecond
	for name, tc := range map[string]struct {
		credentials deployment.Credentials
		kinds       string // of the exchanges
	}{
		"ended":         {deployment.Credentials{PlatformToken: given("platform_token")}, "Outdated"},
		"meant to fail": {deployment.Credentials{ExpiredToken: given("expired_token")}, "401"},
		"replaced": {deployment.Credentials{
			PlatformToken: &deployment.Credential{Name: "platform_token", Issuer: replaced},
		}, "Outdated 200"},
	} {
		dep, seen := testDeployment(address), sink{}
		dep.Credentials = tc.credentials
		c := newClient(t, dep, Options{OnExchange: seen.take})
		c.begun = time.Time{}
		r := get("/")
		r.Credential = dep.Credentials.All()[0]
		replaceToken = func() { _, _, _ = AuthorizationHeader(t.Context(), dep, r.Credential) }
		c.SendOnce(t.Context(), r)
		var kinds []string
		for _, x := range seen {
			kind := fmt.Sprint(x.Status)
			if x.Err != nil && x.Err.Kind == TroubleTokenEnded &&
				x.Recorded.Status == http.StatusUnauthorized && x.IsTransient() {
				kind = "Outdated"
			}
			kinds = append(kinds, kind)
		}
		testmust.Equal(t, strings.Join(kinds, " "), tc.kinds, name)
	}
}
