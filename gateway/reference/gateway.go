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
	Data    string           // folder of the log that keeps what was answered over restarts; empty: none
	Quotes  int              // in the window of the default wallet; 0: a few that show everything
}

// Gateway is the reference gateway, an http.Handler safe for concurrent use.
type Gateway struct {
	choices  Choices
	readings []effect // of the choices; every request meets them
	faults   []effect
	now      func() time.Time
	secret   []byte
	data     *dataset
	paths    map[string][]string // logical field -> steps in the create request
	masks    []parts             // what replay protection remembers of a request

	tokens        *tokens
	store         *store
	limiter       *rate.Limiter
	flaky, resets *chance // which requests are interrupted, and which of them by a reset
	crashing      *chance // which requests end in 500
	mux           *http.ServeMux
	downloads     atomic.Pointer[string] // origin of download addresses; nil: that of the request
}

// New returns a gateway. It fails when a fault is unknown, naming the nearest ones, or when an option cannot be.
func New(opts Options) (*Gateway, error) {
	faults, err := effectsOf(opts.Faults)
	if err != nil {
		return nil, err
	}
	choices := opts.Choices.withDefaults()
	readings, unknown := readings().effects(choices.Readings)
	switch {
	case unknown != "":
		return nil, fmt.Errorf("choices: Readings names %q, which is not a reading", unknown)
	case opts.Quotes < 0 || opts.Quotes > MostQuotes:
		return nil, fmt.Errorf("the number of quotes is %d, expected 0 to %d", opts.Quotes, MostQuotes)
	}
	g := &Gateway{
		choices: choices, readings: readings, faults: faults, now: opts.Now, tokens: &tokens{},
		secret:   derive([]byte(fmt.Sprint(opts.Seed)), "gateassay reference gateway"),
		data:     generate(opts.Seed, choices, opts.Quotes),
		paths:    requestPaths(choices.Fields),
		store:    newStore(remembered),
		flaky:    newChance(opts.Seed, 2, choices.FlakyShare),
		resets:   newChance(opts.Seed, 3, 0.5),
		crashing: newChance(opts.Seed, 4, choices.CrashShare),
	}
	if g.now == nil {
		g.now = time.Now
	}
	if err := g.issueCredentials(); err != nil {
		return nil, err
	}
	if choices.RateLimit > 0 {
		g.limiter = rate.NewLimiter(rate.Limit(choices.RateLimit), max(1, int(choices.RateLimit/4)))
	}
	if opts.Data != "" {
		if err := g.store.open(opts.Data, opts.Seed, g.data.users); err != nil {
			return nil, err
		}
	}
	g.masks = g.rememberedParts()
	g.mux = g.routes()
	return g, nil
}

// derive makes a key for one purpose out of a secret.
func derive(secret []byte, purpose string) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}
