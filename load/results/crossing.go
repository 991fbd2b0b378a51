package results

import "time"

// Crossing is a request of this shard whose header and bytes another shard sends too: a deliberate repeat, or what it
// repeats. Which of them may be accepted can only be told once both are known, by who merges the shards.
type Crossing struct {
	K          int64  `json:"k"`
	Of         int64  `json:"of"` // the first request that carried it; K itself for that one
	Class      string `json:"class"`
	Mode       string `json:"mode"`          // of replay protection, as in the IDs of rules
	Odd        bool   `json:"odd,omitempty"` // it was refused, with another status than blocks have
	BegunNS    int64  `json:"begun_ns"`      // from the start
	ServiceNS  int64  `json:"service_ns"`
	ResponseNS int64  `json:"response_ns"`
}

// LeftToMerge ends the note of a shard on its crossings, which means nothing once they were judged.
const LeftToMerge = "gateassay load merge judges them"

// done is when its answer was there.
func (c Crossing) done() time.Duration { return time.Duration(c.BegunNS + c.ServiceNS) }

// Cross notes a request that is to be judged with one of another shard. Call it before Record, so that it is never in a
// later interval than the counts of its request.
func (r *Recorder) Cross(c Crossing) {
	r.violated.Lock()
	r.crossed = append(r.crossed, c)
	r.violated.Unlock()
}
