// Package target is the deployment under test as the suites see it: requests in the terms of the
// two operations, with fresh identifiers and unique bodies, and what their answers say.
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
	"github.com/gateassay/gateassay/suites/spec"
)

// Target is one deployment and the run that tests it.
type Target struct {
	Deployment *deployment.File
	Client     *client.Client
	RunID      string // short, unique: marks everything that the run creates
	Depth      string // deployment.DepthStandard, unless it is set before the rules are declared
	Seed       int64  // chooses rows and boundaries; identifiers never depend on it
	// before a request without a clear answer is sent again for the first time
	Pause time.Duration

	// What the deployment was seen to accept in place of the plain requests. The controls find it out,
	// and all further ones follow.
	CreationSpelling atomic.Pointer[CreationSpelling]
	ExportSpelling   atomic.Pointer[ExportSpelling]

	mu          sync.Mutex
	times       map[string]int // that something was drawn
	bounds      sync.Map       // texts of bounds that no other request shares
	identifiers sync.Map       // values of headers that were sent
}

// RequiredProduct is the product that requests name by themselves; empty when the deployment does
// not require one.
func (t *Target) RequiredProduct() string {
	if t.ExportSpelling.Load().Product {
		return t.Deployment.Fixtures.ProductID
	}
	return ""
}

// New prepares a run against a deployment.
func New(dep *deployment.File, c *client.Client, seed int64) *Target {
	var id [4]byte
	_, _ = rand.Read(id[:]) // never fails: crypto/rand aborts the program instead
	letters := []byte(hex.EncodeToString(id[:]))
	for i, c := range letters {
		if c <= '9' {
			letters[i] = c - '0' + 'g' // a name may have to do without digits
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

// SeededRand returns a generator for choices that a seed should repeat, such as which rows serve as
// bounds.
func (t *Target) SeededRand(purpose string) *mathrand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(purpose)) // a hash takes everything
	return mathrand.New(mathrand.NewPCG(uint64(t.Seed), h.Sum64()))
}

// nextSeededRand is SeededRand for what is made several times under one name: each time another.
func (t *Target) nextSeededRand(name string) *mathrand.Rand {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.times[name]++
	return t.SeededRand(fmt.Sprint(name, " ", t.times[name]))
}

// uniqueRand returns a generator that no other run shares, for values that must be unique.
func uniqueRand() *mathrand.Rand {
	var seed [16]byte
	_, _ = rand.Read(seed[:])
	return mathrand.New(mathrand.NewPCG(binary.LittleEndian.Uint64(seed[:8]),
		binary.LittleEndian.Uint64(seed[8:])))
}

// NewUUID returns a fresh UUID v4.
func NewUUID() string { return uuid.NewString() }

// TamperedToken is the platform token after it was changed; nil where there is none, or one that
// cannot be taken apart. What is left of the token is as secret as the token.
func (t *Target) TamperedToken(
	what string, change func(string) (string, error),
) *deployment.Credential {
	own := t.Deployment.Credentials.PlatformToken
	if own == nil || own.Method != deployment.AuthBearer {
		return nil
	}
	value, err := change(own.Value)
	if err != nil {
		return nil
	}
	t.Client.Redactor().AddSecret(what, value)
	return &deployment.Credential{Name: what, Method: deployment.AuthBearer, Value: value}
}

// MissingSettings says what the deployment file lacks for a rule: nil, or a spec.Reason with the
// key to add.
func (t *Target) MissingSettings(r rules.Rule) error {
	for _, need := range r.Needs {
		if !t.Deployment.Has(need) {
			return spec.NotVerifiedf(need, "")
		}
	}
	return nil
}
