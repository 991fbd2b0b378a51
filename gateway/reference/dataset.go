package reference

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
)

// legalPerson owns shareholders, wallets and quotes, and uses products. Its users act for it.
type legalPerson struct {
	shareholders map[string]bool
	products     []string // the first is the default
	wallets      []string // the first is the default
	quotes       []quote  // across all wallets and products
}

// user is someone who authenticates and acts for a legal person.
type user struct {
	id        string
	person    *legalPerson
	mayCreate bool
}

// dataset is the data that exists from the start. The main user may act for the target user in
// their shared products. Both have the main user's shareholder.
type dataset struct {
	users                             map[string]*user
	main, target, other, unprivileged *user
	colleague                         *user // another user of the main user's legal person
	shareholder, foreignShareholder   string
	targetShareholder                 string // of the target user only
	client                            string // the client that filters are tried with
	window                            [2]time.Time
}

// generateDataset generates the dataset of a seed. The same seed always yields the same IDs,
// names and quotes.
func generateDataset(seed int64, choices Choices, many int) *dataset {
	source := rand.NewChaCha8(sha256.Sum256(fmt.Appendf(nil, "gateassay reference data %d", seed)))
	g := generator{rand.New(source), source}
	d := &dataset{
		users: map[string]*user{},
		window: [2]time.Time{
			time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2025, 2, 1, 0, 0, 0, 0, time.UTC),
		},
	}
	newPerson := func() *legalPerson {
		return &legalPerson{
			shareholders: map[string]bool{}, products: []string{g.newUUID(), g.newUUID()},
			wallets: []string{g.newUUID(), g.newUUID()},
		}
	}
	newUser := func(p *legalPerson, mayCreate bool) *user {
		u := &user{id: g.newUUID(), person: p, mayCreate: mayCreate}
		d.users[u.id] = u
		return u
	}
	ours, theirs, targets := newPerson(), newPerson(), newPerson()
	targets.products = ours.products
	d.main = newUser(ours, true)
	d.target = newUser(targets, true)
	d.unprivileged = newUser(ours, false)
	d.other = newUser(theirs, true)
	d.shareholder = g.newUUID()
	d.foreignShareholder = g.newUUID()
	d.targetShareholder = g.newUUID()
	targets.shareholders[d.targetShareholder] = true
	ours.shareholders[d.shareholder], targets.shareholders[d.shareholder] = true, true
	theirs.shareholders[d.foreignShareholder] = true
	// One client ID is a prefix of another, and one differs only in case.
	number := 100 + g.IntN(900)
	clients := []string{
		fmt.Sprintf("CLIENT-%d", number), fmt.Sprintf("CLIENT-%d7", number),
		fmt.Sprintf("client-%d", number),
		"ACME, Comércio \"Exterior\" Ltda",
	}
	d.client = clients[0]
	for _, p := range []*legalPerson{ours, theirs, targets} {
		for _, wallet := range p.wallets {
			more := many / 20 // enough to show beside the others
			if wallet == ours.wallets[0] {
				more = many
			}
			p.quotes = append(p.quotes,
				g.quotes(p.products, wallet, clients, d.window, choices.Unsettled, more)...)
		}
	}
	d.colleague = newUser(ours, true)
	return d
}

// generator draws the data of a seed.
type generator struct {
	*rand.Rand
	source *rand.ChaCha8
}

func (g generator) newUUID() string {
	return uuid.Must(uuid.NewRandomFromReader(g.source)).String() // the source never fails
}

// durationBelow returns whole milliseconds below a limit.
func (g generator) durationBelow(limit time.Duration) time.Duration {
	return time.Duration(g.Int64N(int64(limit/time.Millisecond))) * time.Millisecond
}

// quote is one cross-border quote. A zero settled means not settled yet.
type quote struct {
	id, client, wallet, product string
	created, settled            time.Time
	cents                       int64
	note                        string
}

// quotes returns the quotes of one wallet: at least seventy inside the window, plus more, and some
// on both sides of it. Dates collide, lie one millisecond apart, lie exactly on the bounds, and
// fall on different days in different time zones, so that nearly correct filters fail. All but a
// few belong to the first product.
func (g generator) quotes(
	products []string, wallet string, clients []string, window [2]time.Time, unsettled bool, more int,
) []quote {
	var quotes []quote
	add := func(created, settled time.Time) {
		n := len(quotes)
		q := quote{
			id: g.newUUID(), product: products[0], wallet: wallet, client: clients[n%len(clients)],
			created: created, settled: settled, cents: g.Int64N(5_000_000_00),
			note: quoteNotes[g.IntN(len(quoteNotes))],
		}
		if unsettled && n%9 == 4 {
			q.settled = time.Time{}
		}
		quotes = append(quotes, q)
	}
	const days3 = 72 * time.Hour
	start, end := window[0], window[1]
	inside := func() time.Time { return start.Add(g.durationBelow(end.Sub(start))) }
	later := func(t time.Time) time.Time { return t.Add(time.Hour + g.durationBelow(days3)) }

	for range 24 + more { // anywhere in the window
		t := inside()
		add(t, later(t))
	}
	for range 5 { // four share a creation date with odd milliseconds
		t := inside().Truncate(time.Second).Add(123 * time.Millisecond)
		for range 4 {
			add(t, later(t))
		}
	}
	for range 4 { // three share a settled date
		t := inside().Truncate(time.Second).Add(457 * time.Millisecond)
		for range 3 {
			add(t.Add(-time.Hour-g.durationBelow(days3)), t)
		}
	}
	for range 3 { // three follow each other by a millisecond within one second
		t := inside().Truncate(time.Second).Add(500 * time.Millisecond)
		for i := range 3 {
			at := t.Add(time.Duration(i) * time.Millisecond)
			add(at, at.Add(26*time.Hour))
		}
	}
	for range 3 { // on another day in São Paulo than in UTC
		t := inside().Truncate(24 * time.Hour).Add(90*time.Minute + 7*time.Millisecond)
		add(t, t.Add(23*time.Hour))
	}
	add(start, start.Add(25*time.Hour))                   // on the lower bound
	add(end, end.Add(25*time.Hour))                       // on the upper bound
	add(end.Add(-time.Millisecond), end.Add(2*time.Hour)) // the last millisecond, settled outside
	add(start.Add(-5*time.Hour), start.Add(3*time.Hour))  // settled inside only
	add(start.Add(-time.Millisecond), start.Add(-1+time.Hour).Truncate(time.Millisecond))
	for i := range 8 { // outside, on both sides
		before := start.Add(-time.Duration(1+i*31) * 13 * time.Hour).Add(11 * time.Millisecond)
		after := end.Add(time.Duration(1+i*29) * 13 * time.Hour).Add(13 * time.Millisecond)
		add(before, later(before))
		add(after, later(after))
	}
	for range 6 { // of a product other than the default one
		t := inside()
		add(t, later(t))
		quotes[len(quotes)-1].product = products[1]
	}
	return quotes
}

// MaxQuotes is the maximum number of quotes in a window.
const MaxQuotes = 100_000

var quoteNotes = []string{
	"", "remessa", "said \"urgent\"", "João; D'Ávila, S.A.", "two\nlines", "=1+1",
}

func (q quote) amount() string { return fmt.Sprintf("%d.%02d", q.cents/100, q.cents%100) }
