// Package target represents the deployment under test: it builds requests of the two operations
// with fresh identifiers and unique bodies, sends them and describes the answers.
package target

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	mathrand "math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/token"
	"github.com/gateassay/gateassay/suites/spec"
)

// Target is one deployment and the run that tests it.
type Target struct {
	Deployment *deployment.File
	Client     *client.Client
	RunID      string // short and unique; part of every name that the run creates
	Depth      string // set before the rules are declared; default deployment.DepthStandard
	Seed       int64  // chooses rows and boundaries; identifiers never depend on it
	// pause before the first retry of a request without a conclusive answer
	Pause time.Duration

	// Forms of requests that the deployment accepts. The controls find them, and all later requests
	// use them.
	CreationSpelling atomic.Pointer[CreationSpelling]
	ExportSpelling   atomic.Pointer[ExportSpelling]

	mu          sync.Mutex
	times       map[string]int // number of draws by name
	bounds      sync.Map       // texts of unique bounds
	identifiers sync.Map       // header values sent so far
}

// RequiredProduct returns the product that every request must name; empty if the deployment does
// not require one.
func (t *Target) RequiredProduct() string {
	if t.ExportSpelling.Load().Product {
		return t.Deployment.Fixtures.ProductID
	}
	return ""
}

// New returns the target of a new run.
func New(dep *deployment.File, c *client.Client, seed int64) *Target {
	var id [4]byte
	_, _ = rand.Read(id[:]) // never fails: crypto/rand aborts the program
	letters := []byte(hex.EncodeToString(id[:]))
	for i, c := range letters {
		if c <= '9' {
			letters[i] = c - '0' + 'g' // names may have to be without digits
		}
	}
	t := &Target{
		Deployment: dep, Client: c, RunID: string(letters), Depth: deployment.DepthStandard, Seed: seed,
		Pause: 200 * time.Millisecond, times: map[string]int{},
	}
	t.CreationSpelling.Store(&CreationSpelling{})
	t.ExportSpelling.Store(&ExportSpelling{})
	return t
}

// SeededRand returns a generator for choices that the same seed repeats, such as which rows serve
// as bounds.
func (t *Target) SeededRand(purpose string) *mathrand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(purpose)) // never fails
	return mathrand.New(mathrand.NewPCG(uint64(t.Seed), h.Sum64()))
}

// nextSeededRand returns another SeededRand at each call with the same name.
func (t *Target) nextSeededRand(name string) *mathrand.Rand {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.times[name]++
	return t.SeededRand(fmt.Sprint(name, " ", t.times[name]))
}

// uniqueRand returns a randomly seeded generator, for values that must be unique.
func uniqueRand() *mathrand.Rand {
	var seed [16]byte
	_, _ = rand.Read(seed[:])
	return mathrand.New(mathrand.NewPCG(binary.LittleEndian.Uint64(seed[:8]),
		binary.LittleEndian.Uint64(seed[8:])))
}

// NewUUID returns a fresh UUID v4.
func NewUUID() string { return uuid.NewString() }

// Alter returns what a change makes of a credential, described as what. The error is a spec.Reason:
// the credential is nil, or it cannot be changed so.
func Alter(
	own *deployment.Credential, what string, change token.Change,
) (*deployment.Credential, error) {
	if own == nil {
		return nil, spec.NotVerifiedf("credentials.platform_token", "")
	}
	edit, err := change(own.Value)
	if err != nil {
		return nil, spec.NotVerifiedf(own.SettingKey(),
			"the token is opaque, it cannot be taken apart: %v", err)
	}
	value := edit.Apply(own.Value)
	if value == own.Value {
		return nil, spec.NotVerifiedf(own.SettingKey(), "it has nothing there that could be changed")
	}
	return &deployment.Credential{
		Name: what, Method: own.Method, Value: value, Edit: &edit, Source: own,
	}, nil
}

// MissingSettings returns a spec.Reason with the key that the deployment file lacks for a rule;
// nil: none.
func (t *Target) MissingSettings(r rules.Rule) error {
	for _, need := range r.Needs {
		if !t.Deployment.Has(need) {
			return spec.NotVerifiedf(need, "")
		}
	}
	return nil
}

// ChooseByDepth returns the value for the depth of the run.
func ChooseByDepth[T any](t *Target, quick, standard, thorough T) T {
	return map[string]T{
		deployment.DepthQuick:    quick,
		deployment.DepthStandard: standard, deployment.DepthThorough: thorough,
	}[t.Depth]
}

// RaceSize returns the number of requests in a race, which are sent at the same moment.
func (t *Target) RaceSize() int { return ChooseByDepth(t, 2, 6, 16) }
