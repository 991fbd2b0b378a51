package results

import "time"

// tally counts by name.
type tally map[string]int64

func (t *tally) add(name string, n int64) {
	if *t == nil {
		*t = tally{}
	}
	(*t)[name] += n
}

// counts is what adds up: over workers, over intervals, over shards. The zero value counts nothing.
type counts struct {
	Canceled int64                 `json:"canceled,omitempty"`
	Failures tally                 `json:"failures,omitempty"` // no answer, by kind
	Rules    tally                 `json:"rules,omitempty"`    // violated
	Statuses tally                 `json:"statuses,omitempty"` // of answers that were not as they should be
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
