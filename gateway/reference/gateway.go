// Package reference is a gateway that implements the whole API in memory: the target of runs without a deployment, a
// server for integrators to try against, and, with faults switched on, the proof that every rule can fail.
package reference

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// Options configure a gateway; the zero value is a conformant one.
type Options struct {
	Seed    int64    // decides fixtures, credentials and quotes
	Faults  []string // names of the faults to switch on
	Choices Choices  // decisions that the document leaves open
	// FaultShare is how probable it is that a request meets the faults, 0 to 1; the seed decides which do. 0: all do.
	FaultShare float64
	Now        func() time.Time                // nil: time.Now
	Data       string                          // folder that keeps everything over a restart; empty: memory
	Quotes     int                             // in the window of the default wallet; 0: a few that show everything
	Remember   int                             // newest entries of a kind that are kept at the least; 0: Remembered
	Around     func(http.Handler) http.Handler // what Start puts before the gateway; nil: nothing
}

// Gateway is the reference gateway, an http.Handler safe for concurrent use.
type Gateway struct {
	choices Choices
	effects []effect // of the readings and of the faults that are switched on
	now     func() time.Time
	secret  []byte
	data    *dataset
	paths   map[string][]string // logical field -> steps in the create request
	masks   []parts             // what replay protection remembers of a request

	tokens        *tokens
	store         store
	large         chan struct{} // a place for each large body that is being read
	parsing       chan struct{} // and for each that was parsed, which takes many times its size
	uploads       chan struct{} // and for each upload
	limiter       *rate.Limiter
	flaky, resets *chance // which requests are interrupted, and which of them by a reset
	crashing      *chance // which requests end in 500
	mux           *http.ServeMux
	downloads     *atomic.Pointer[string] // origin of download addresses; nil: that of the request
	sound         *Gateway                // without faults, of the same store; nil: every request meets the faults
	chance        *chance                 // decides which requests do
}

// New returns a gateway. It fails when a fault is unknown, naming the nearest ones, or when a choice would not conform.
func New(opts Options) (*Gateway, error) {
	faults, err := effectsOf(opts.Faults)
	if err != nil {
		return nil, err
	}
	choices := opts.Choices.withDefaults()
	effects, err := effectsOfReadings(choices.Readings)
	if err != nil {
		return nil, err
	}
	if err := choices.check(); err != nil {
		return nil, err
	}
	if opts.Remember < 0 {
		return nil, fmt.Errorf("the number to remember is %d, expected 1 or more, such as %d", opts.Remember, Remembered)
	}
	if opts.Quotes < 0 || opts.Quotes > MostQuotes {
		return nil, fmt.Errorf("the number of quotes is %d, expected 0 to %d", opts.Quotes, MostQuotes)
	}
	if opts.FaultShare < 0 || opts.FaultShare > 1 {
		return nil, fmt.Errorf("the share of faulty requests is %v, expected 0 to 1, such as 0.05", opts.FaultShare)
	}
	g := &Gateway{
		choices: choices, effects: append(effects, faults...), now: opts.Now, tokens: &tokens{},
		downloads: &atomic.Pointer[string]{},
	}
	if g.now == nil {
		g.now = time.Now
	}
	g.secret = derive([]byte(fmt.Sprint(opts.Seed)), "gateassay reference gateway")
	g.data = generate(opts.Seed, choices, opts.Quotes)
	if err := g.issueCredentials(); err != nil {
		return nil, err
	}
	g.paths = requestPaths(choices.Fields)
	g.large, g.parsing = make(chan struct{}, maxLarge), make(chan struct{}, maxParsed)
	g.uploads = make(chan struct{}, maxUploads)
	most := cmp.Or(opts.Remember, Remembered)
	if g.store = newVolatile(most); opts.Data != "" {
		if g.store, err = openDurable(opts.Data, opts.Seed, most); err != nil {
			return nil, err
		}
	}
	if choices.RateLimit > 0 {
		g.limiter = rate.NewLimiter(rate.Limit(choices.RateLimit), max(1, int(choices.RateLimit/4)))
	}
	if choices.FlakyShare > 0 {
		g.flaky, g.resets = newChance(opts.Seed, 0x666c616b79, choices.FlakyShare),
			newChance(opts.Seed, 0x7265736574, 0.5)
	}
	g.crashing = newChance(opts.Seed, 0x6372617368, choices.CrashShare)
	g.masks = g.rememberedParts()
	if len(faults) > 0 && opts.FaultShare > 0 && opts.FaultShare < 1 {
		g.comeAndGo(opts, effects)
	}
	g.mux = g.routes()
	return g, nil
}

// comeAndGo lets a share of requests meet the faults only.
func (g *Gateway) comeAndGo(opts Options, soundEffects []effect) {
	sound := *g
	sound.effects = soundEffects
	// What one of the two remembers, the other has to recognize.
	for _, p := range sound.rememberedParts() {
		if !slices.Contains(g.masks, p) {
			g.masks = append(g.masks, p)
		}
	}
	sound.masks = g.masks
	sound.mux = sound.routes()
	g.sound, g.chance = &sound, newChance(opts.Seed, 0x6368616e6365, opts.FaultShare)
}

// derive makes a key for one purpose out of a secret.
func derive(secret []byte, purpose string) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}
