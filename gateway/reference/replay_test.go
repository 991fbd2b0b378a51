package reference

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/internal/testmust"
)

// TestReplayTruthTable checks the document's truth table: what a repeat changes, and whether it
// is blocked in the modes none, nonce, transaction ID and both.
func TestReplayTruthTable(t *testing.T) {
	for _, apart := range []bool{false, true} {
		g := try(t, Choices{})
		if apart {
			g = try(t, Choices{Readings: []string{"modes-apart"}})
		}
		for s, mode := range replayModes {
			for change, blocked := range map[string][4]bool{
				"": {true, true, true, true}, "nonce": {true, false, true, false},
				"transaction":       {true, true, false, false},
				"nonce transaction": {true, false, false, false}, "body": {}, "query": {}, "user": {},
			} {
				nonce, transaction, group := uuid.NewString(), uuid.NewString(), uuid.NewString()
				send := func(change string) int {
					path, body := exportPath, fmt.Sprintf(`{"filter_text":%q}`, group)
					headers := []string{
						"nonce", nonce, "x-transaction-uuid", transaction, replayHeader,
						cmp.Or(mode.header, "-"),
					}
					if strings.Contains(change, "nonce") {
						headers = append(headers, "nonce", uuid.NewString())
					}
					if strings.Contains(change, "transaction") {
						headers = append(headers, "x-transaction-uuid", uuid.NewString())
					}
					switch change {
					case "body":
						body = fmt.Sprintf(`{"order":"asc","filter_text":%q}`, group)
					case "query":
						path += "?page=2"
					case "user":
						headers = append(headers, "Authorization", "Bearer "+g.tokens.other)
					}
					return g.send("POST", path, strings.NewReader(body), headers...).Code
				}
				want := 200
				if blocked[min(s, 3)] {
					want = 409
				}
				if first, second := send(""), send(change); first != 200 || second != want {
					t.Errorf("apart=%v %s, %q: %d and %d, want 200 and %d",
						apart, mode.name, change, first, second, want)
				}
			}
		}
	}
}

func TestReplayComparesWhatABodyMeans(t *testing.T) {
	for raw, want := range map[bool]int{false: 409, true: 200} {
		g := try(t, Choices{})
		if raw {
			g = try(t, Choices{Readings: []string{"raw-bodies"}})
		}
		first := g.export(`{"sort":"settled_date","order":"asc"}`, replayHeader, "-")
		second := g.export("{ \"order\":\"asc\",\n\"sort\":\"settled_date\" }", replayHeader, "-")
		testmust.Equal(t, first.Code, 200, raw)
		testmust.Equal(t, second.Code, want, raw)
	}
}

// together sends n equal requests concurrently and counts the answers by status.
func together(n int, send func() int) map[int]int {
	var mu sync.Mutex
	var all sync.WaitGroup
	start, counts := make(chan struct{}), map[int]int{}
	for range n {
		all.Go(func() {
			<-start
			status := send()
			mu.Lock()
			defer mu.Unlock()
			counts[status]++
		})
	}
	close(start)
	all.Wait()
	return counts
}

func TestRacesHaveOneWinner(t *testing.T) {
	g := try(t, Choices{})
	for s, mode := range replayModes {
		for round := range 5 {
			headers := []string{
				"nonce", uuid.NewString(), "x-transaction-uuid", uuid.NewString(), replayHeader, mode.header,
			}
			body := fmt.Sprintf(`{"filter_text":"race %d %d"}`, s, round)
			got := together(16, func() int { return g.export(body, headers...).Code })
			if got[200] != 1 || got[409] != 15 {
				t.Fatalf("%s: %v, want one 200 and fifteen 409", mode.name, got)
			}
		}
	}
	for range 5 {
		id, text := uuid.NewString(), jsonOf(g.person())
		got := together(16, func() int { return g.createText(text, "x-transaction-uuid", id).Code })
		if got[201] != 1 || got[409] != 15 {
			t.Fatalf("create: %v, want one 201 and fifteen 409", got)
		}
	}
}
