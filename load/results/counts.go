package results

import (
	"strconv"
	"time"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// tally counts by name.
type tally map[string]int64

func (t *tally) add(name string, n int64) {
	if *t == nil {
		*t = tally{}
	}
	(*t)[name] += n
}

// counts is what adds up: over intervals, over shards. The zero value counts nothing.
type counts struct {
	Canceled  int64                 `json:"canceled,omitempty"`
	Failures  tally                 `json:"failures,omitempty"`     // no answer, by kind
	Rules     tally                 `json:"rules,omitempty"`        // violated
	Statuses  tally                 `json:"statuses,omitempty"`     // of answers that were not as they should be
	Codes     map[int]int64         `json:"status_codes,omitempty"` // of all answers
	Bytes     Bytes                 `json:"bytes,omitzero"`
	LastBegun map[int]time.Duration `json:"ends_ns,omitempty"` // by stage, from 1: when its latest request was begun
	Times     distributions         `json:"histograms,omitempty"`
}

// add counts what others have counted.
func (c *counts) add(more *counts) {
	c.Canceled += more.Canceled
	for mine, theirs := range map[*tally]tally{&c.Failures: more.Failures, &c.Rules: more.Rules, &c.Statuses: more.Statuses} {
		for name, n := range theirs {
			mine.add(name, n)
		}
	}
	for status, n := range more.Codes {
		c.answered(status, n)
	}
	c.Bytes.In, c.Bytes.Out = c.Bytes.In+more.Bytes.In, c.Bytes.Out+more.Bytes.Out
	for stage, at := range more.LastBegun {
		c.begun(stage, at)
	}
	c.Times.add(more.Times)
}

// recorded is how many requests there were whose end is known.
func (c *counts) recorded() int64 { return c.Canceled + c.Times.count() }

// begun notes when a request of a stage was begun.
func (c *counts) begun(stage int, at time.Duration) {
	if c.LastBegun == nil {
		c.LastBegun = map[int]time.Duration{}
	}
	if at > c.LastBegun[stage] {
		c.LastBegun[stage] = at
	}
}

// answered counts answers with a status.
func (c *counts) answered(status int, n int64) {
	if c.Codes == nil {
		c.Codes = map[int]int64{}
	}
	c.Codes[status] += n
}

// result counts a result of a stage, without an allocation but for what is rare.
func (c *counts) result(stage int, x *engine.Result) {
	v := x.Verdict
	if v.Failure == judge.Canceled {
		c.Canceled++
		return
	}
	c.Times.at(slot{stage, v.Class.String(), threshold.Service}).Record(x.Service)
	c.Times.at(slot{stage, v.Class.String(), threshold.Response}).Record(x.Response)
	if !x.Queued {
		c.Times.at(slot{Stage: stage, Time: threshold.Lag}).Record(x.Lag)
	}
	c.begun(stage, x.Intended+x.Lag)
	c.Bytes.In += int64(len(x.Body))
	if x.Request != nil {
		c.Bytes.Out += int64(len(x.Request.Body))
	}
	if x.Status > 0 {
		c.answered(x.Status, 1)
	}
	if v.Failure != judge.NoFailure {
		c.Failures.add(v.Failure.String(), 1)
	}
	if v.Rule != "" {
		c.Rules.add(v.Rule, 1)
	}
	if v.Class.Bad() && x.Status > 0 {
		c.Statuses.add(strconv.Itoa(x.Status), 1)
	}
}
