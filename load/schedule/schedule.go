package schedule

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/strictyaml"
)

// A Schedule says when each request of a plan is due. It is immutable and safe for concurrent
// use.
type Schedule struct {
	stages   []Stage
	segments []segment // of the stages
	requests int64
	peak     float64
}

// New makes a schedule of stages, one after the other. The error is a *strictyaml.Problems.
func New(stages ...Stage) (*Schedule, error) {
	wrong := &strictyaml.Problems{}
	if n := len(stages); n == 0 || n > maxStages {
		wrong.Add("stages", fmt.Sprintf("1 to %d stages", maxStages), fmt.Sprint(n), "")
		return nil, wrong
	}
	s, total := &Schedule{stages: slices.Clone(stages)}, time.Duration(0)
	for i, stage := range stages {
		stage.check(fmt.Sprintf("stages[%d]", i), wrong)
		total = min(total, MaxDuration) + min(stage.For, MaxDuration) // no overflow
		s.peak = math.Max(s.peak, max(stage.From, stage.To))
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	if total > MaxDuration {
		wrong.Add("stages", "a schedule of at most "+formatDuration(MaxDuration), formatDuration(total),
			"split it into several runs")
		return nil, wrong
	}
	count := 0.0
	s.segments, count = buildSegments(stages)
	s.requests = s.segments[len(stages)-1].next
	if count > float64(maxRequests) {
		wrong.Add("stages", fmt.Sprintf("at most %d requests", maxRequests),
			fmt.Sprintf("%.6g", count), "lower the rate or split the schedule into several runs")
	} else if s.requests == 0 {
		wrong.Add("stages", "at least one request", "none",
			"every rate of the schedule is 0, or it is too short for its first request")
	}
	return s, wrong.Err()
}

// RequestCount returns the number of requests.
func (s *Schedule) RequestCount() int64 { return s.requests }

// Duration returns the length of the schedule. The last request is sent before its end.
func (s *Schedule) Duration() time.Duration {
	_, _, _, end := s.StageRange(len(s.stages) - 1)
	return end
}

// Stages returns the stages.
func (s *Schedule) Stages() []Stage { return slices.Clone(s.stages) }

// PeakRate returns the highest rate, in requests per second.
func (s *Schedule) PeakRate() float64 { return s.peak }

// DueAt returns T(k), from the start of the schedule, exact to a nanosecond unless the rate is
// close to 0. For k below 0 it returns T(0), for k from K on it returns Duration.
func (s *Schedule) DueAt(k int64) time.Duration {
	if k >= s.requests {
		return s.Duration()
	}
	k = max(k, 0)
	return s.segments[s.StageOf(k)].dueAt(k)
}

// StageOf returns the index of the stage that request k belongs to.
func (s *Schedule) StageOf(k int64) int {
	return sort.Search(len(s.segments)-1, func(i int) bool { return s.segments[i].next > k })
}

// StageAt returns the index of the stage at a moment. Before the schedule it is the first stage,
// after it the last.
func (s *Schedule) StageAt(t time.Duration) int {
	return sort.Search(len(s.stages)-1, func(i int) bool { return s.segments[i+1].start > int64(t) })
}

// StageRange returns the requests of a stage, first <= k < next, and its start and end.
func (s *Schedule) StageRange(stage int) (first, next int64, start, end time.Duration) {
	g := s.segments[stage]
	return g.first, g.next, time.Duration(g.start), time.Duration(g.start + g.length)
}

// DueBy returns the number of requests with T(k) <= t, which should have been sent by then.
func (s *Schedule) DueBy(t time.Duration) int64 {
	if t >= s.Duration() {
		return s.requests
	}
	return int64(sort.Search(int(s.requests), func(k int) bool { return s.DueAt(int64(k)) > t }))
}

// Describe describes the schedule in a few words: "500/s for 5m0s", or its peak and its stages.
func (s *Schedule) Describe() string {
	if len(s.stages) == 1 && s.stages[0].From == s.stages[0].To {
		return printable.Rate(s.stages[0].From) + " for " + s.Duration().String()
	}
	return fmt.Sprintf("up to %s in %d stages, %s", printable.Rate(s.PeakRate()), len(s.stages),
		s.Duration())
}
