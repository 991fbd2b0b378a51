package compare

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/gateassay/gateassay/load/capacity"
	load "github.com/gateassay/gateassay/load/record"
	"github.com/gateassay/gateassay/reports/record"
)

// searched is what is read of run.json of a search for the capacity.
type searched struct {
	Run        load.Info       `json:"run"`
	Plan       json.RawMessage `json:"plan"`
	Verdict    load.Verdict    `json:"verdict"`
	Reason     string          `json:"reason"`
	SLO        []string        `json:"slo"`
	From       float64         `json:"from"`
	To         float64         `json:"to"`
	StepMS     int64           `json:"step_ms"`
	Capacity   capacity.Result `json:"capacity"`
	Violations int64           `json:"violations"`
}

const (
	mostRates   = 1000 // of a curve that are shown; a search makes tens
	highestRate = 1e9  // requests per second; what is beyond was not measured
)

// readSearch reads a search from its folder or from run.json itself.
func readSearch(path string, folder bool) (searched, error) {
	if folder {
		path = filepath.Join(path, record.RunName)
	}
	var s searched
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		return s, fmt.Errorf("%s is not a search that can be read: %w", path, err)
	}
	curve := slices.DeleteFunc(s.Capacity.Curve, func(p capacity.Point) bool { return !(p.Rate > 0 && p.Rate <= highestRate) })
	slices.SortStableFunc(curve, func(a, b capacity.Point) int { return cmp.Compare(a.Rate, b.Rate) })
	s.Capacity.Curve = curve[:min(len(curve), mostRates)]
	return s, nil
}

func (s searched) search() Search {
	c := s.Capacity
	found := Search{
		Rate: max(0, c.Rate), Low: max(0, c.Low), High: max(0, c.High), Held: c.Confirmations, Missed: c.Against, Limit: c.Limit, Thresholds: s.SLO,
		From: s.From, To: s.To, StepMS: s.StepMS, Knee: c.Knee, Unstable: c.Unstable, Violations: s.Violations, Curve: c.Curve,
	}
	if found.Limit == capacity.ByGenerator { // the rates above say nothing of the deployment
		found.High = 0
	}
	if found.Thresholds == nil {
		found.Thresholds = []string{}
	}
	if found.Curve == nil {
		found.Curve = []capacity.Point{}
	}
	return found
}
