package schedule

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"time"
)

// Schedule is when each request of a plan is meant to be sent. It is immutable and safe for concurrent use.
type Schedule struct {
	stages   []Stage
	segments []segment
	starts   []time.Duration // of each stage, and the end of the last
	bounds   []int64         // the first request of each stage, and K
	requests int64
	peak     float64
}

// New lays the stages one after the other. The error is Problems.
func New(stages ...Stage) (*Schedule, error) {
	var wrong Problems
	if n := len(stages); n == 0 || n > maxStages {
		wrong.Add("stages", fmt.Sprintf("1 to %d stages", maxStages), fmt.Sprint(n), "")
		return nil, wrong
	}
	segments, total := 0, time.Duration(0)
	for i, stage := range stages {
		before := len(wrong)
		stage.check(func(field, expected, found string) {
			key := fmt.Sprintf("stages[%d]", i)
			if field != "" {
				key += "." + field
			}
			wrong.Add(key, expected, found, "")
		})
		if len(wrong) == before {
			segments += stage.segments()
			total = min(total, MaxDuration) + stage.Duration() // both are bounded: no overflow
		}
	}
	if len(wrong) > 0 {
		return nil, wrong
	}
	if total > MaxDuration {
		wrong.Add("stages", "a schedule of at most "+days(MaxDuration), days(total), "split it into several runs")
	}
	if segments > maxSegments {
		wrong.Add("stages", fmt.Sprintf("at most %d steps in all", maxSegments), fmt.Sprint(segments), "use a ramp")
	}
	if len(wrong) > 0 {
		return nil, wrong
	}
	s := &Schedule{stages: slices.Clone(stages)}
	if count := s.build(); count > float64(maxRequests) {
		wrong.Add("stages", fmt.Sprintf("at most %d requests", maxRequests), fmt.Sprintf("%.6g", count),
			"lower the rate or split the schedule into several runs")
	} else if s.requests == 0 {
		wrong.Add("stages", "at least one request", "none",
			"every rate of the schedule is 0, or it is too short for its first request")
	}
	return s, wrong.Err()
}

func (s Stage) segments() int {
	switch s.Kind {
	case Steps:
		return s.levels()
	case Spike:
		return 3
	}
	return 1
}

// build makes the segments and gives the number of requests.
func (s *Schedule) build() float64 {
	b := &builder{schedule: s}
	for i, stage := range s.stages {
		s.starts = append(s.starts, time.Duration(b.now))
		s.bounds = append(s.bounds, ceil(b.whole, b.frac))
		s.peak = math.Max(s.peak, stage.MaxRate())
		switch stage.Kind {
		case Constant:
			b.ramp(i, stage.Rate, stage.Rate, stage.For)
		case Ramp:
			b.ramp(i, stage.From, stage.To, stage.For)
		case Steps:
			levels := stage.levels()
			for l := range levels {
				rate := stage.level(l, levels)
				b.ramp(i, rate, rate, stage.Each)
			}
		case Spike:
			b.ramp(i, stage.Base, stage.Base, stage.At)
			b.ramp(i, stage.Peak, stage.Peak, stage.Width)
			b.ramp(i, stage.Base, stage.Base, stage.For-stage.At-stage.Width)
		case Sine:
			b.add(segment{
				stage: i, length: int64(stage.For), base: stage.Mean / second,
				amplitude: stage.Amplitude / second, omega: 2 * math.Pi / float64(stage.Period),
			})
		}
	}
	s.starts = append(s.starts, time.Duration(b.now))
	s.requests = ceil(b.whole, b.frac)
	s.bounds = append(s.bounds, s.requests)
	return b.sum
}

type builder struct {
	schedule *Schedule
	now      int64   // ns
	sum      float64 // requests so far
	whole    int64
	frac     float64
}

func (b *builder) ramp(stage int, from, to float64, d time.Duration) {
	if d > 0 {
		b.add(segment{stage: stage, length: int64(d), base: from / second, slope: (to - from) / second / float64(d)})
	}
}

func (b *builder) add(g segment) {
	g.start, g.whole, g.frac = b.now, b.whole, b.frac
	b.now += g.length
	b.sum += g.count(float64(g.length))
	// A rate such as 100/m is not a binary fraction: what is a whole number but for that becomes one, or a minute of it
	// would have 101 requests.
	if nearest := math.Round(b.sum); math.Abs(b.sum-nearest) <= 1e-9+1e-14*b.sum {
		b.sum = nearest
	}
	whole, frac := math.Modf(min(b.sum, 4*float64(maxRequests))) // more is refused
	b.whole, b.frac = int64(whole), frac
	g.first, g.next = ceil(g.whole, g.frac), ceil(b.whole, b.frac)
	b.schedule.segments = append(b.schedule.segments, g) // one without requests, too: Rate needs it
}

func ceil(whole int64, frac float64) int64 {
	if frac > 0 {
		return whole + 1
	}
	return whole
}

// K is the number of requests.
func (s *Schedule) K() int64 { return s.requests }

// Duration is the length of the schedule. The last request is sent before its end.
func (s *Schedule) Duration() time.Duration { return s.starts[len(s.starts)-1] }

// Stages gives the stages as they were given.
func (s *Schedule) Stages() []Stage { return slices.Clone(s.stages) }

// PeakRate is the highest rate, in requests per second.
func (s *Schedule) PeakRate() float64 { return s.peak }

// At is T(k), from the start of the schedule: to a nanosecond, where the rate is not nearly nothing. Below 0 it is that of request
// 0, from K on it is Duration.
func (s *Schedule) At(k int64) time.Duration {
	if k >= s.requests {
		return s.Duration()
	}
	k = max(k, 0)
	return s.segments[sort.Search(len(s.segments)-1, func(i int) bool { return s.segments[i].next > k })].at(k)
}

// StageAt is the index of the stage that is under way at a moment; moments outside the schedule count as its ends.
func (s *Schedule) StageAt(t time.Duration) int {
	return sort.Search(len(s.stages)-1, func(i int) bool { return s.starts[i+1] > t })
}

// StageRange gives the requests of a stage, first <= k < next, and when it starts and ends.
func (s *Schedule) StageRange(stage int) (first, next int64, start, end time.Duration) {
	return s.bounds[stage], s.bounds[stage+1], s.starts[stage], s.starts[stage+1]
}

// Rate is the rate that is meant at a moment, in requests per second; 0 before the start and from the end on.
func (s *Schedule) Rate(t time.Duration) float64 {
	if t < 0 || t >= s.Duration() {
		return 0
	}
	last := len(s.segments) - 1
	g := &s.segments[sort.Search(last, func(i int) bool { return s.segments[i+1].start > int64(t) })]
	return g.rate(float64(int64(t)-g.start)) * second
}

// DueBy counts the requests with T(k) <= t: what should have been sent by then.
func (s *Schedule) DueBy(t time.Duration) int64 {
	if t >= s.Duration() {
		return s.requests
	}
	return int64(sort.Search(int(s.requests), func(k int) bool { return s.At(int64(k)) > t }))
}

// Words describes the schedule in a few words: "500/s for 5m0s", or its peak and its stages.
func (s *Schedule) Words() string {
	if len(s.stages) == 1 && s.stages[0].Kind == Constant {
		return fmt.Sprintf("%.6g/s for %s", s.stages[0].Rate, s.Duration())
	}
	return fmt.Sprintf("up to %.6g/s in %d stages, %s", s.PeakRate(), len(s.stages), s.Duration())
}
