package load

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Which 4xx blocks a repeat is open, also whether it is the same in each mode.
func TestBlocksMayHaveAnotherStatusInEachMode(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mode := r.Header.Get("x-include-replay-protection-schema")
		key, status := mode+string(body), http.StatusConflict
		if strings.Contains(mode, "nonce") {
			key, status = key+r.Header.Get("nonce"), http.StatusForbidden
		}
		if strings.Contains(mode, "transaction") {
			key += r.Header.Get("x-transaction-uuid")
		}
		mu.Lock()
		defer mu.Unlock()
		if !seen[key] {
			seen[key], status = true, http.StatusAccepted
		}
		w.WriteHeader(status)
		fmt.Fprint(w, `{"file_id":"f","file_state":{},"created_at":"2026-01-01T00:00:00Z"}`)
	}))
	defer server.Close()
	result := play(t, t.Context(), file(t, "name: two\nbase_url: "+server.URL+
		"\ncredentials: {api_key: key-of-a-test}\nload: {allow: true}\n"),
		planned(t, "rate=100/s", "duration=2500ms", "repeats=40%", "track-files=0"))
	if q := result.Run.Requests; q.Blocked < 20 || q.Accepted+q.Blocked != q.Sent ||
		result.Run.Statuses != nil {
		t.Errorf("%+v, %v: %s", q, result.Run.Statuses, result.Run.Reason)
	}
}
