// Package reference is a gateway that implements the whole API in memory: the target of runs without a deployment, a
// server for integrators to try against, and, with faults switched on, the proof that every rule can fail.
package reference

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// Options configure a gateway; the zero value is a conformant one.
type Options struct {
	Seed    int64            // decides fixtures, credentials and quotes
	Faults  []string         // names of the faults to switch on
	Choices Choices          // decisions that the document leaves open
	Now     func() time.Time // nil: time.Now
}

// Gateway is the reference gateway, an http.Handler safe for concurrent use.
type Gateway struct {
	choices Choices
	broken  broken
	now     func() time.Time
	secret  []byte
	data    *dataset
	paths   map[string][]string // logical field -> steps in the create request
	masks   []parts             // what replay protection remembers of a request

	tokens          tokens
	representatives *register
	replays         *memory
	shelf           *shelf
	limiter         *rate.Limiter
	flaky           *flaky
	mux             *http.ServeMux
	downloads       atomic.Pointer[string] // origin of download addresses; nil: that of the request
}

// New returns a gateway. It fails when a fault is unknown, naming the nearest ones, or when a choice would not conform.
func New(opts Options) (*Gateway, error) {
	broken, err := breakWith(opts.Faults)
	if err != nil {
		return nil, err
	}
	choices := opts.Choices.withDefaults()
	if err := choices.check(); err != nil {
		return nil, err
	}
	g := &Gateway{choices: choices, broken: broken, now: opts.Now}
	if g.now == nil {
		g.now = time.Now
	}
	g.secret = derive([]byte(fmt.Sprint(opts.Seed)), "gateassay reference gateway")
	g.data = generate(opts.Seed, choices)
	if err := g.issueCredentials(); err != nil {
		return nil, err
	}
	g.paths = requestPaths(choices.Fields)
	g.masks = g.rememberedParts()
	g.representatives = newRegister()
	g.replays = newMemory(g)
	g.shelf = newShelf()
	if choices.RateLimit > 0 {
		g.limiter = rate.NewLimiter(rate.Limit(choices.RateLimit), max(1, int(choices.RateLimit/4)))
	}
	if choices.FlakyShare > 0 {
		g.flaky = newFlaky(opts.Seed, choices.FlakyShare)
	}
	g.mux = g.routes()
	return g, nil
}

// derive makes a key for one purpose out of a secret.
func derive(secret []byte, purpose string) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}

func (g *Gateway) fault(name string) bool { return len(g.broken.names) > 0 && g.broken.names[name] }
