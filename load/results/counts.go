package results

import (
	"cmp"
	"slices"
	"time"
)

// tally counts by name.
type tally map[string]int64

func (t *tally) add(name string, n int64) {
	if *t == nil {
		*t = tally{}
	}
	(*t)[name] += n
}

// Slow is one of the requests that took longest.
type Slow struct {
	K          int64   `json:"k"`
	AtMS       float64 `json:"at_ms"` // when it was meant to be sent, from the start of the run
	ResponseMS float64 `json:"response_ms"`
	ServiceMS  float64 `json:"service_ms"`
	Class      string  `json:"class"`
	Status     int     `json:"status,omitempty"`
	Nonce      string  `json:"nonce"`
}

const mostSlow = 10 // of a run, and of an interval

// counts is what adds up: over workers, over intervals, over shards. The zero value counts nothing.
type counts struct {
	Canceled int64                 `json:"canceled,omitempty"`
	Failures tally                 `json:"failures,omitempty"` // no answer, by kind
	Rules    tally                 `json:"rules,omitempty"`    // violated
	Statuses tally                 `json:"statuses,omitempty"` // of answers that were not as they should be
	Slow     []Slow                `json:"slow,omitempty"`     // what took longest, slowest first
	Ends     map[int]time.Duration `json:"ends_ns,omitempty"`  // by stage, from 1: when its last request so far began
	Times    distributions         `json:"histograms,omitempty"`
}

// add counts what others have counted.
func (c *counts) add(more *counts) {
	c.Canceled += more.Canceled
	for mine, theirs := range map[*tally]tally{&c.Failures: more.Failures, &c.Rules: more.Rules, &c.Statuses: more.Statuses} {
		for name, n := range theirs {
			mine.add(name, n)
		}
	}
	c.slow(more.Slow...)
	for stage, end := range more.Ends {
		c.end(stage, end)
	}
	c.Times.add(more.Times)
}

// recorded is how many requests there were whose end is known.
func (c *counts) recorded() int64 {
	n := c.Canceled
	for _, of := range c.Times.classes() {
		n += of
	}
	return n
}

// end notes when a request of a stage began.
func (c *counts) end(stage int, at time.Duration) {
	if c.Ends == nil {
		c.Ends = map[int]time.Duration{}
	}
	if at > c.Ends[stage] {
		c.Ends[stage] = at
	}
}

// slow keeps the slowest of what there is and what comes.
func (c *counts) slow(more ...Slow) {
	c.Slow = append(c.Slow, more...)
	slices.SortStableFunc(c.Slow, func(a, b Slow) int { return cmp.Compare(b.ResponseMS, a.ResponseMS) })
	c.Slow = c.Slow[:min(len(c.Slow), mostSlow)]
}
