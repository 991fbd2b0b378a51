package reference

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/internal/testmust"
)

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

func TestAStoreKeepsTheNewestAndForgetsTheOldest(t *testing.T) {
	const most = 10
	s := store{maxEntries: most}
	for i := range 35 {
		s.put("number", fmt.Sprint(i), i)
		kept := 0
		for j := range i + 1 {
			var value int
			found := s.get("number", fmt.Sprint(j), &value)
			if found {
				kept++
			}
			if newest := j > i-most; newest && !found || found && value != j {
				t.Fatalf("after %d entries, entry %d: %d, %t", i+1, j, value, found)
			}
		}
		if kept > 2*most {
			t.Fatalf("%d of %d entries are kept, expected at most %d", kept, i+1, 2*most)
		}
	}
}

// TestALogOutlivesItsGateway checks that a gateway knows what an earlier one logged, even if a
// kill left an incomplete line at the end of the log.
func TestALogOutlivesItsGateway(t *testing.T) {
	folder := t.TempDir()
	start := func(seed int64) (*Gateway, error) { return New(Options{Seed: seed, Data: folder}) }
	first := testmust.Get(start(1))(t)
	someone := first.data.main.id
	first.store.put("file", "f",
		exportFile{ID: "f", Owner: someone, Caller: someone, Created: time.Unix(7, 0).UTC()})
	first.store.put("file", "lost", exportFile{})
	first.store.storeRepresentative(
		&legalRepresentative{ID: "r", Owner: someone, Caller: someone, Answer: []byte("{}")})
	first.store.put("sighting", "seen", true)
	log := testmust.Get(os.OpenFile(filepath.Join(folder, "gateway.ndjson"), os.O_APPEND|os.O_WRONLY,
		0))(t)
	_, _ = log.WriteString(`{"key":"file half`)
	for range 2 { // the second gateway reads the log that the first repaired
		next := testmust.Get(start(1))(t)
		f, r, seen := next.findFile("f"), next.store.findRepresentative("r"), false
		if next.store.get("sighting", "seen", &seen); !seen || f == nil || f.Owner != someone ||
			r == nil || r.Caller != someone {
			t.Fatalf("%v, %+v, %+v", seen, f, r)
		}
		if next.findFile("lost") != nil || next.findFile("half") != nil {
			t.Error("a file that was lost, or never whole, is there")
		}
		next.store.put("sighting", "seen later", true)
	}
	_, _ = log.WriteString("{\"s\":\"files\",\"k\":\"f\",\"v\":{}}\n")
	_, err := start(1)
	testmust.FailWith(t, err, "choose another folder", "a line that it does not know")
	testmust.Succeed(t, os.Truncate(log.Name(), int64(len("1\n"))))
	_, err = start(2)
	testmust.FailWith(t, err, "--seed 1", "another seed")
}
