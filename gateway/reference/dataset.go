package reference

import (
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
)

// legalPerson owns shareholders, wallets and quotes, and uses products; its users act for it.
type legalPerson struct {
	shareholders map[string]bool
	products     []string // the first is the default
	wallets      []string // the first is the default
	quotes       []quote  // of every wallet and product
}

// user authenticates and acts for a legal person.
type user struct {
	id        string
	person    *legalPerson
	mayCreate bool
}

// dataset is what exists from the start. The target user is one whom the main user may act for in their products; the
// shareholder of the main user is that user's as well.
type dataset struct {
	users                             map[string]*user
	main, target, other, unprivileged *user
	colleague                         *user // another one of the main user's legal person
	shareholder, foreignShareholder   string
	targetShareholder                 string // of the target user only
	client                            string // the client whose quotes a filter is tried with
	window                            [2]time.Time
}

// generate makes the dataset of a seed. The same seed always gives the same IDs, names and quotes.
func generate(seed int64, choices Choices, many int) *dataset {
	key := sha256.Sum256([]byte(fmt.Sprintf("gateassay reference data %d", seed)))
	source := rand.NewChaCha8(key)
	random := rand.New(source)
	d := &dataset{
		users: map[string]*user{},
		window: [2]time.Time{
			time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2025, 2, 1, 0, 0, 0, 0, time.UTC),
		},
	}
	newPerson := func() *legalPerson {
		return &legalPerson{
			shareholders: map[string]bool{}, products: []string{newID(source), newID(source)},
			wallets: []string{newID(source), newID(source)},
		}
	}
	newUser := func(p *legalPerson, mayCreate bool) *user {
		u := &user{id: newID(source), person: p, mayCreate: mayCreate}
		d.users[u.id] = u
		return u
	}
	ours, theirs, targets := newPerson(), newPerson(), newPerson()
	targets.products = ours.products
	d.main, d.target, d.unprivileged = newUser(ours, true), newUser(targets, true), newUser(ours, false)
	d.other = newUser(theirs, true)
	d.shareholder, d.foreignShareholder, d.targetShareholder = newID(source), newID(source), newID(source)
	targets.shareholders[d.targetShareholder] = true
	ours.shareholders[d.shareholder], targets.shareholders[d.shareholder] = true, true
	theirs.shareholders[d.foreignShareholder] = true
	// One client's ID is the beginning of another's, and one differs only in case.
	number := 100 + random.IntN(900)
	clients := []string{
		fmt.Sprintf("CLIENT-%d", number), fmt.Sprintf("CLIENT-%d7", number), fmt.Sprintf("client-%d", number),
		"ACME, Comércio \"Exterior\" Ltda",
	}
	d.client = clients[0]
	everybody := []*legalPerson{ours, theirs, targets}
	for _, p := range everybody {
		for _, wallet := range p.wallets {
			p.quotes = append(p.quotes, quotesOf(source, random, p.products, wallet, clients, d.window,
				choices.Unsettled)...)
		}
	}
	for _, p := range everybody {
		for i, wallet := range p.wallets {
			count := many / 20 // enough to be found beside the others
			if p == ours && i == 0 {
				count = many - len(p.quotes)/2
			}
			p.addMany(source, random, wallet, clients, d.window, count)
		}
	}
	d.colleague = newUser(ours, true)
	return d
}

// newID draws a UUID v4 from a source that never fails.
func newID(source io.Reader) string { return uuid.Must(uuid.NewRandomFromReader(source)).String() }
