package results

import (
	"strconv"
	"time"

	"github.com/gateassay/gateassay/load/engine"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/threshold"
)

// tally counts by name, or by status.
type tally[K comparable] map[K]int64

func (t *tally[K]) add(name K, n int64) {
	if *t == nil {
		*t = tally[K]{}
	}
	(*t)[name] += n
}

func (t *tally[K]) sum(more tally[K]) {
	for name, n := range more {
		t.add(name, n)
	}
}

// counts is what adds up: over intervals, over shards. The zero value counts nothing.
type counts struct {
	Canceled  int64                 `json:"canceled,omitempty"`
	Failures  tally[string]         `json:"failures,omitempty"`     // no answer, by kind
	Rules     tally[string]         `json:"rules,omitempty"`        // violated
	Statuses  tally[string]         `json:"statuses,omitempty"`     // of answers that were not as they should be
	Codes     tally[int]            `json:"status_codes,omitempty"` // of all answers
	Bytes     Bytes                 `json:"bytes,omitzero"`
	LastBegun map[int]time.Duration `json:"ends_ns,omitempty"` // by stage, from 1: when its latest request was begun
	Times     distributions         `json:"histograms,omitempty"`
}

// add counts what others have counted.
func (c *counts) add(more *counts) {
	c.Canceled += more.Canceled
	c.Failures.sum(more.Failures)
	c.Rules.sum(more.Rules)
	c.Statuses.sum(more.Statuses)
	c.Codes.sum(more.Codes)
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
		c.Codes.add(x.Status, 1)
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
