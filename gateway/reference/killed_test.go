package reference

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
)

// serveFrom names the environment variable that makes the test's own program a gateway with that folder.
const serveFrom = "REFERENCE_TEST_DATA"

func serveUntilKilled(folder string) {
	running, err := Start(context.Background(), ":0", Options{Seed: 7, Data: folder})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(running.URL)
	time.Sleep(time.Minute) // nobody waits longer
	os.Exit(1)
}

// TestKillingLosesNothingThatWasAnswered kills a gateway amid exports and looks for each that it had answered.
func TestKillingLosesNothingThatWasAnswered(t *testing.T) {
	folder := t.TempDir()
	answered := 0
	for round := range 3 {
		bodies := exportsBeforeTheKill(t, folder, round)
		reopened, err := New(Options{Seed: 7, Data: folder})
		if err != nil {
			t.Fatal(err)
		}
		g := tried{Gateway: reopened}
		for body, file := range bodies {
			if w := g.export(body, schemaHeader, "-"); w.Code != 409 {
				t.Errorf("round %d: %s was answered and is not remembered: %d", round, body, w.Code)
			}
			if status, _ := g.fileOf(file); status != 200 {
				t.Errorf("round %d: the file of %s: %d", round, body, status)
			}
		}
		if err := g.store.close(); err != nil {
			t.Fatal(err)
		}
		answered += len(bodies)
	}
	if answered < 20 {
		t.Errorf("only %d exports were answered before the kills", answered)
	}
}

// exportsBeforeTheKill returns the file ID of each body that was answered.
func exportsBeforeTheKill(t *testing.T, folder string, round int) map[string]string {
	t.Helper()
	program := exec.CommandContext(t.Context(), os.Args[0])
	program.Env = append(os.Environ(), serveFrom+"="+folder)
	out, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	url, err := bufio.NewReader(out).ReadString('\n')
	if url = strings.TrimSpace(url); err != nil || !strings.HasPrefix(url, "http://") {
		t.Fatalf("the gateway did not start: %q %v", url, err)
	}
	tokens, err := New(Options{Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	var mu sync.Mutex
	var all sync.WaitGroup
	files, enough := map[string]string{}, make(chan struct{})
	for worker := range 4 {
		all.Go(func() {
			for i := range 500 {
				body := fmt.Sprintf(`{"filter_text":"%d-%d-%d"}`, round, worker, i)
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+exportPath,
					strings.NewReader(body))
				if err != nil {
					return
				}
				r.Header.Set("Authorization", "Bearer "+tokens.tokens.main)
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("nonce", uuid.NewString())
				w, err := transport.RoundTrip(r)
				if err != nil {
					return // killed
				}
				var text strings.Builder
				_, err = bufio.NewReader(w.Body).WriteTo(&text)
				_ = w.Body.Close()
				answer, broken := decode([]byte(text.String()))
				id, _ := answer["file_id"].(string)
				if err != nil || broken != nil || id == "" {
					return
				}
				mu.Lock()
				if files[body] = id; len(files) == 30+10*round {
					close(enough)
				}
				mu.Unlock()
			}
		})
	}
	select {
	case <-enough:
	case <-time.After(20 * time.Second):
	}
	if err := program.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = program.Wait() // it was killed
	all.Wait()
	return files
}
