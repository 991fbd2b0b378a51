package schedule

import (
	"fmt"
	"math"
	"time"
)

// Bounds of a schedule. They keep the arithmetic exact, and catch what was surely meant otherwise.
const (
	maxRate     = 10_000_000.0         // requests per second
	MaxDuration = 366 * 24 * time.Hour // of the whole schedule
	maxRequests = int64(1e12)          // of the whole schedule
	maxStages   = 1_000                // as written
	maxSegments = 100_000              // after steps are written out
)

// check notes everything that is wrong with one stage.
func (s Stage) check(wrong func(field, expected, found string)) {
	rate := func(field string, value float64) {
		if math.IsNaN(value) || value < 0 || value > maxRate {
			wrong(field, fmt.Sprintf("a rate from 0 to %.0f/s", maxRate), perSecond(value))
		}
	}
	length := func(field string, value time.Duration) {
		if value <= 0 || value > MaxDuration {
			wrong(field, fmt.Sprintf("a duration greater than 0 and at most %s", days(MaxDuration)), value.String())
		}
	}
	switch s.Kind {
	case Constant:
		rate("rate", s.Rate)
		length("for", s.For)
	case Ramp:
		rate("ramp", s.From)
		rate("ramp", s.To)
		length("for", s.For)
	case Steps:
		rate("steps.from", s.From)
		rate("steps.to", s.To)
		length("steps.each", s.Each)
		switch {
		case s.Count != 0 && s.Step != 0:
			wrong("steps", "one of step and count", "both")
		case s.Count == 0 && s.Step == 0:
			wrong("steps", "step or count", "neither")
		case s.Count < 0 || s.Count > maxSegments || s.Count == 1 && s.From != s.To:
			wrong("steps.count", fmt.Sprintf("a whole number from 2 to %d", maxSegments), fmt.Sprint(s.Count))
		case math.IsNaN(s.Step) || s.Step < 0 || math.IsInf(s.Step, 0):
			wrong("steps.step", "a rate greater than 0; whether the steps go up or down follows from from and to",
				perSecond(s.Step))
		case s.Step > 0 && math.Abs(s.To-s.From)/s.Step >= maxSegments-1:
			wrong("steps.step", fmt.Sprintf("a step that gives at most %d rates", maxSegments), perSecond(s.Step))
		case s.Each > 0 && s.Each <= MaxDuration && time.Duration(s.levels()) > MaxDuration/s.Each:
			wrong("steps", fmt.Sprintf("at most %s in all", days(MaxDuration)),
				fmt.Sprintf("%d rates of %s", s.levels(), s.Each))
		}
	case Spike:
		rate("spike.base", s.Base)
		rate("spike.peak", s.Peak)
		length("for", s.For)
		length("spike.width", s.Width)
		if s.At < 0 {
			wrong("spike.at", "a duration of at least 0", s.At.String())
		}
		if s.At >= 0 && s.Width > 0 && s.For > 0 && (s.At > s.For || s.Width > s.For-s.At) {
			wrong("spike", "at and width together within for", fmt.Sprintf("%s and %s in %s", s.At, s.Width, s.For))
		}
	case Sine:
		rate("sine.mean", s.Mean)
		length("for", s.For)
		length("sine.period", s.Period)
		if math.IsNaN(s.Amplitude) || s.Amplitude < 0 || s.Amplitude > s.Mean {
			wrong("sine.amplitude", "a rate from 0 to the mean, "+perSecond(s.Mean), perSecond(s.Amplitude))
		} else if s.Mean+s.Amplitude > maxRate {
			wrong("sine", fmt.Sprintf("a crest of at most %.0f/s", maxRate), perSecond(s.Mean+s.Amplitude))
		}
		if s.Period > 0 && s.Period < time.Millisecond {
			wrong("sine.period", "at least 1ms", s.Period.String())
		}
	default:
		wrong("", "one of rate, ramp, steps, spike and sine", fmt.Sprintf("%q", s.Kind))
	}
}

func perSecond(rate float64) string { return fmt.Sprintf("%.6g/s", rate) }

// days writes a long duration the way people say it.
func days(d time.Duration) string {
	if d >= 48*time.Hour {
		return fmt.Sprintf("%.4g days", d.Hours()/24)
	}
	return d.String()
}

// levels is how many rates a Steps stage has.
func (s Stage) levels() int {
	if s.Count > 0 {
		return s.Count
	}
	if !(s.Step > 0) {
		return 1
	}
	// The tolerance makes 10 to 10.3 by 0.1 four rates, whatever binary fractions make of it.
	return 1 + int(math.Ceil(math.Min(math.Abs(s.To-s.From)/s.Step-1e-9, maxSegments)))
}

// level is the i-th rate of a Steps stage.
func (s Stage) level(i, levels int) float64 {
	switch {
	case levels == 1:
		return s.From
	case i == levels-1:
		return s.To
	case s.Count > 0:
		return s.From + (s.To-s.From)*float64(i)/float64(levels-1)
	case s.To < s.From:
		return s.From - float64(i)*s.Step
	}
	return s.From + float64(i)*s.Step
}
