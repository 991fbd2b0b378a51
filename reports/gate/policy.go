// Package gate decides from recorded runs whether a release may go out. A policy says what must hold; whatever cannot
// be shown to hold does not: a run that is missing, interrupted, too old, damaged or of an unknown schema does not pass.
package gate

import (
	"os"
	"path/filepath"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/strictyaml"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/threshold"
)

// Words that stand for rules in Conformance.Verified.
const (
	everyMust   = "must"   // every must rule of the catalogue
	everyShould = "should" // every should rule of the catalogue
)

// Policy is what must hold. A part that is nil asks for no run of its kind; at least one is there.
type Policy struct {
	File        string // as it was named
	Name        string // may be empty
	MaxAge      time.Duration
	Deployments []string // each must have its runs, and no other deployment may; empty: whichever the runs are of
	Conformance *Conformance
	Load        *Load
	Capacity    *Capacity
	Catalogue   []rules.Rule // that it was read with
}

// Conformance is what must hold of the conformance runs of a deployment.
type Conformance struct {
	Verified []string  // patterns of rule IDs, and the words must and should
	Allowed  []string  // patterns of the rules that may be waived; empty: none
	Latest   time.Time // the last day that a waiver may name; zero: any
	Strict   bool      // a should rule that failed blocks too
	Baseline string    // path of an earlier run; empty: none
	Drift    Drift
}

// Drift says which observations may differ from the baseline.
type Drift struct {
	Any     bool
	Allowed []string // patterns of observation IDs
}

// Load is what must hold of each load run of a deployment, beside the thresholds of its own plan.
type Load struct {
	Thresholds []threshold.Threshold
	Baseline   string
	Tolerance  float64 // share by which a figure may be worse than in the baseline
}

// Capacity is what must hold of each search for the capacity of a deployment.
type Capacity struct {
	AtLeast    float64               // requests per second; 0: any
	Thresholds []threshold.Threshold // that the search must have been for
	Baseline   string
	Tolerance  float64
}

func format(known catalogue) *strictyaml.Format {
	return &strictyaml.Format{
		Name: "policy", Largest: 1 << 20, Begin: "begin with max_age: 24h and conformance: {verified: [must]}",
		Absent: "docs/gate.md describes it", Explicit: true, Units: plan.Units(), Checks: known.checks(),
	}
}

// Open reads a policy from a file; the rules that it names are those of the catalogue. Paths of baselines count from its folder. The error is a *strictyaml.Problems that
// lists everything that is wrong.
func Open(path string, known []rules.Rule) (*Policy, error) {
	data, err := format(known).Read(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data, known)
}

// Parse is Open from memory. name is what problems call the policy, and its folder is where baselines count from.
func Parse(name string, data []byte, known []rules.Rule) (*Policy, error) {
	var f policyFile
	r := strictyaml.NewReader(format(known), &f, name, filepath.Dir(name), os.LookupEnv)
	if r.Document(data) {
		r.Defaults()
		f.inspect(r)
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	p := f.policy(name)
	p.Catalogue = known
	return p, nil
}

// beside makes the path of a baseline count from the folder of the policy.
func beside(policy, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(policy), path)
}
