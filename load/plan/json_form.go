package plan

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// JSON returns the plan for other processes: one line of JSON, keys always in the same order.
func (p *Plan) JSON() []byte {
	data, err := json.Marshal(p)
	if err != nil {
		panic("plan: " + err.Error()) // NaN or infinity, which problems rejects
	}
	return data
}

// Hash returns the SHA-256 of the JSON form in hexadecimal. Shards with equal hashes send the
// same schedule.
func (p *Plan) Hash() string { return fmt.Sprintf("%x", sha256.Sum256(p.JSON())) }

// Decode reads the JSON form. It returns an error for another schema and for invalid values.
func Decode(data []byte) (*Plan, error) {
	var p Plan
	if err := json.Unmarshal(data, &p); err != nil {
		return nil, fmt.Errorf("the plan is not the JSON that gateassay wrote: %w", err)
	}
	if p.Schema != Schema {
		return nil, fmt.Errorf("expected a plan of schema %s, found %q; use the version of "+
			"gateassay that wrote it", Schema, p.Schema)
	}
	return &p, p.problems().Err()
}
