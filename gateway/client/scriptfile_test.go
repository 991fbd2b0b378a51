package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gateassay/gateassay/gateway/must"
)

// filing is a deployment whose exports become files: they are ready when asked for the second time, at an address of
// their own.
func filing(t *testing.T) (c *Client, downloads *atomic.Int32) {
	t.Helper()
	downloads = &atomic.Int32{}
	var server *httptest.Server
	var exports, asked atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("POST /x", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("nonce") == "" {
			w.WriteHeader(http.StatusBadRequest)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"file_id":    fmt.Sprintf("file-%d", exports.Add(1)),
			"file_state": map[string]string{"state": "NEW"},
		})
	})
	mux.HandleFunc("GET /files/{id}", func(w http.ResponseWriter, r *http.Request) {
		answer := map[string]any{"state": "NEW"}
		if asked.Add(1)%2 == 0 {
			answer = map[string]any{
				"state": "READY",
				"links": map[string]string{"url": server.URL + "/d/" + r.PathValue("id") + "?a=1&b=2"},
			}
		}
		_ = json.NewEncoder(w).Encode(answer)
	})
	mux.HandleFunc("GET /d/{id}", func(w http.ResponseWriter, r *http.Request) {
		downloads.Add(1)
		_, _ = w.Write([]byte("rows of " + r.PathValue("id") + " " + r.URL.RawQuery + "\n"))
	})
	server = httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return newClient(t, testDeployment(server.URL), Options{}), downloads
}

// retrieved sends an export and gets its file, and returns the numbers of the exchanges.
func retrieved(t *testing.T, c *Client, nonce, label string) []int {
	t.Helper()
	r := export(nonce, `{"filter_text":"`+label+`"}`)
	r.Label = label
	sent := c.Once(t.Context(), r)
	var made struct {
		ID string `json:"file_id"`
	}
	must.Succeed(t, json.Unmarshal(sent.Body, &made))
	seqs := []int{sent.Seq}
	for range 2 {
		x := c.Once(t.Context(), &Request{Operation: File, Method: http.MethodGet, Path: "/files/" + made.ID})
		seqs = append(seqs, x.Seq)
	}
	x := c.Once(t.Context(),
		&Request{
			Operation: File, Method: http.MethodGet, Path: "/d/" + made.ID,
			Query: map[string][]string{"a": {"1"}, "b": {"2"}},
		})
	return append(seqs, x.Seq)
}

// What a person pastes does what the run did, file included, in every shell that is installed.
func TestScriptOfAnExportGetsItsFile(t *testing.T) {
	for _, shell := range []string{"sh", "bash", "zsh"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		if _, err := exec.LookPath("curl"); err != nil {
			t.Skip("curl is not installed")
		}
		c, downloads := filing(t)
		seqs := retrieved(t, c, nonceA, "rows until a row's date")
		script := c.Script(append(seqs, retrieved(t, c, nonceB, "the whole window")...))
		tools := t.TempDir() // uuidgen is not part of every system
		must.Succeed(t, os.WriteFile(filepath.Join(tools, "uuidgen"), []byte("#!/bin/sh\necho "+nonceB+"\n"),
			0o700))
		before := downloads.Load()
		run := exec.CommandContext(t.Context(), path, "-c", strings.Replace(script, "\n\necho", "\nexit\necho", 1))
		run.Env = append(os.Environ(), "PATH="+tools+":"+os.Getenv("PATH"))
		out, err := run.CombinedOutput()
		if err != nil || downloads.Load() != before+1 ||
			!strings.HasPrefix(string(out), "# 1. rows until a row's date\n") ||
			!strings.Contains(string(out), "rows of file-3 a=1&b=2") {
			t.Errorf("%s: %v, %d downloads\n%s\n%s", shell, err, downloads.Load()-before, script, out)
		}
		if !strings.Contains(script, "\n\necho '# 2. the whole window'\n") {
			t.Errorf("the second export has no line of its own:\n%s", script)
		}
	}
}

func TestScriptPassesOverWhatGotNoAnswerAndWasSentAgain(t *testing.T) {
	var broken atomic.Bool
	broken.Store(true)
	c := clientOf(t, Options{}, func(http.ResponseWriter, *http.Request) {
		if broken.Swap(false) {
			panic(http.ErrAbortHandler)
		}
	})
	c.Once(t.Context(), export(nonceA, `{"a":1}`))
	c.Once(t.Context(), export(nonceB, `{"a":2}`))
	if script := c.Script([]int{1, 2}); strings.Contains(script, `{"a":1}`) || !strings.Contains(script, `{"a":2}`) {
		t.Error(script)
	}
}
