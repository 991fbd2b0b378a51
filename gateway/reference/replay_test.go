package reference

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
)

// repeatOf is one way to repeat a request.
type repeatOf struct {
	name                                       string
	nonce, transaction                         bool // changed
	body, query, user                          bool // changed
	blockedNone, blockedN, blockedT, blockedNT bool
}

// repeats is the truth table as the document states it.
var repeats = []repeatOf{
	{name: "same", blockedNone: true, blockedN: true, blockedT: true, blockedNT: true},
	{name: "other nonce", nonce: true, blockedNone: true, blockedT: true},
	{name: "other transaction", transaction: true, blockedNone: true, blockedN: true},
	{name: "both other", nonce: true, transaction: true, blockedNone: true},
	{name: "other body", body: true},
	{name: "other query", query: true},
	{name: "other user", user: true},
}

func (r repeatOf) blocked(s int) bool {
	return []bool{r.blockedNone, r.blockedN, r.blockedT, r.blockedNT, r.blockedNT}[s]
}

// pair sends a request and its repeat in one mode.
func (g tried) pair(s int, how repeatOf, body string) (first, second int) {
	nonce, transaction := uuid.NewString(), uuid.NewString()
	send := func(how repeatOf) *httptest.ResponseRecorder {
		headers := []string{"nonce", nonce, "x-transaction-uuid", transaction}
		if how.nonce {
			headers[1] = uuid.NewString()
		}
		if how.transaction {
			headers[3] = uuid.NewString()
		}
		if s > 0 {
			headers = append(headers, schemaHeader, spellings[s])
		}
		path, text := exportPath, body
		if how.body {
			text = strings.Replace(body, "{", `{"order":"asc",`, 1)
		}
		if how.query {
			path += "?page=2"
		}
		if how.user {
			headers = append(headers, "Authorization", "Bearer "+g.tokens.other)
		}
		return g.send("POST", path, strings.NewReader(text), headers...)
	}
	first = send(repeatOf{}).Code
	return first, send(how).Code
}

func TestReplayTruthTable(t *testing.T) {
	for _, apart := range []bool{false, true} {
		g := try(t, Choices{ModesApart: apart})
		for s, spelling := range spellings {
			for i, how := range repeats {
				first, second := g.pair(s, how, fmt.Sprintf(`{"filter_text":"%d-%d"}`, s, i))
				want := 200
				if how.blocked(s) {
					want = 409
				}
				if first != 200 || second != want {
					t.Errorf("apart=%v %q, %s: got %d and %d, want 200 and %d", apart, spelling, how.name, first,
						second, want)
				}
			}
		}
	}
}

func TestReplayComparesWhatABodyMeans(t *testing.T) {
	for raw, want := range map[bool]int{false: 409, true: 200} {
		g := try(t, Choices{RawReplayBody: raw})
		first := g.export(`{"sort":"settled_date","order":"asc"}`, schemaHeader, "-")
		second := g.export("{ \"order\":\"asc\",\n\"sort\":\"settled_date\" }", schemaHeader, "-")
		if first.Code != 200 || second.Code != want {
			t.Errorf("raw=%v: got %d and %d, want 200 and %d", raw, first.Code, second.Code, want)
		}
	}
}

func TestReplayMemory(t *testing.T) {
	g := try(t, Choices{})
	if w := g.export(`{"sort":"x","filter_text":"r"}`, schemaHeader, "-"); w.Code != 400 {
		t.Fatalf("rejected: %d", w.Code)
	}
	send := func(i int) int { return g.export(fmt.Sprintf(`{"filter_text":"%d"}`, i), schemaHeader, "-").Code }
	for i := range 500 {
		if got := send(i); got != 200 {
			t.Fatalf("request %d: %d", i, got)
		}
	}
	g.clock.at = g.clock.at.Add(365 * 24 * time.Hour)
	if got := send(0); got != 409 && got != 401 {
		t.Errorf("the first again, a year later: %d", got)
	}
	g.clock.at = g.clock.at.Add(-300 * 24 * time.Hour)
	if got := send(0); got != 409 {
		t.Errorf("the first again: %d, want 409", got)
	}
	byKey := []string{schemaHeader, "-", "Authorization", "-", "x-api-key", g.tokens.apiKey}
	if first, second := g.export(`{"filter_text":"key"}`, byKey[:2]...).Code,
		g.export(`{"filter_text":"key"}`, byKey...).Code; first != 200 || second != 409 {
		t.Errorf("the same user by the other method: got %d and %d, want 200 and 409", first, second)
	}
	// A request of one mode equals an earlier one of another mode: its group is the same.
	if first, second := g.export(`{"filter_text":"cross"}`).Code, g.export(`{"filter_text":"cross"}`, schemaHeader,
		"-").Code; first != 200 || second != 409 {
		t.Errorf("across modes: got %d and %d, want 200 and 409", first, second)
	}
}

// together sends n equal requests at once and counts the answers by status.
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
	for s, spelling := range spellings {
		for round := range 20 {
			headers := []string{
				"nonce", uuid.NewString(), "x-transaction-uuid", uuid.NewString(), schemaHeader,
				spelling,
			}
			body := fmt.Sprintf(`{"filter_text":"race %d %d"}`, s, round)
			if got := together(16, func() int { return g.export(body, headers...).Code }); got[200] != 1 ||
				got[409] != 15 {
				t.Fatalf("%q: %v, want one 200 and fifteen 409", spelling, got)
			}
		}
	}
	for range 20 {
		id, text := uuid.NewString(), jsonOf(g.person())
		if got := together(16,
			func() int { return g.createText(text, "x-transaction-uuid", id).Code }); got[201] != 1 || got[409] != 15 {
			t.Fatalf("create: %v, want one 201 and fifteen 409", got)
		}
	}
}
