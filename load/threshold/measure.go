// Package threshold reads and judges the conditions of a load run: what must hold for it to pass (--slo) and what ends
// it early (--abort-on).
//
//	MEASURE OP VALUE [for STAGE]        p99<300ms   errors<0.1%   service.p50<20ms for "warm up"
//	MEASURE OP VALUE [for DURATION]     errors>20% for 10s       (--abort-on)
//
// A time without a prefix is response time, which counts from the moment that the schedule meant a request to be sent;
// service., lag. and file. name the others. Times cover every request sent, however it was answered.
package threshold

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gateassay/gateassay/gateway/meant"
)

// Time names what a time measures.
type Time string

// The times of a run.
const (
	Response Time = "response" // from the moment the schedule meant the request to be sent
	Service  Time = "service"  // from the moment it was sent
	Lag      Time = "lag"      // how late it was sent
	File     Time = "file"     // from the acceptance of an export to its file
)

// Names lists the times of a run, in the order in which they are recorded.
func Names() []Time { return []Time{Service, Response, Lag, File} }

const achieved = "achieved"

// measure is the left side of a condition: a statistic of a time, a count, or the achieved rate.
type measure struct {
	time  Time    // of a time, else empty
	stat  string  // p50, p99.9, max or mean
	q     float64 // its quantile, above 0 and at most 100, which is the maximum; 0: the mean
	count Count   // of a count, else empty; both empty: the achieved rate
}

// String is the one spelling of a measure: response.p99 becomes p99.
func (m measure) String() string {
	switch {
	case m.time == "" && m.count == "":
		return achieved
	case m.count != "":
		return string(m.count)
	case m.time == Response:
		return m.stat
	}
	return string(m.time) + "." + m.stat
}

func allowed() string {
	return "p50 … p99.9, mean and max (response time), the same after service., lag. or file., " +
		strings.Join(append(counts(), achieved), ", ")
}

// readMeasure understands a word, or says what is wrong with it.
func readMeasure(word string) (measure, string) {
	lower := strings.ToLower(word)
	if lower == achieved {
		return measure{}, ""
	}
	if slices.Contains(counts(), lower) {
		return measure{count: Count(lower)}, ""
	}
	which, stat := Response, lower
	for _, t := range Names() {
		for _, separator := range []string{".", "_"} {
			if rest, ok := strings.CutPrefix(lower, string(t)+separator); ok {
				which, stat = t, rest
			}
		}
	}
	switch stat {
	case "max":
		return measure{time: which, stat: stat, q: 100}, ""
	case "mean":
		return measure{time: which, stat: stat}, ""
	}
	if digits, ok := strings.CutPrefix(stat, "p"); ok {
		if q, problem := readQuantile(digits); problem != "" || q > 0 {
			return measure{time: which, stat: "p" + strconv.FormatFloat(q, 'f', -1, 64), q: q}, problem
		}
	}
	if near := nearest(lower); near != "" {
		return measure{}, fmt.Sprintf("unknown measure %q; did you mean %s? Allowed are %s", word, near, allowed())
	}
	return measure{}, fmt.Sprintf("unknown measure %q; allowed are %s", word, allowed())
}

// readQuantile reads what follows the p: 99, 99.9 or 99_9. Zero without a problem: it is not a number.
func readQuantile(digits string) (float64, string) {
	if digits == "" || strings.Trim(digits, "0123456789._") != "" {
		return 0, ""
	}
	q, err := strconv.ParseFloat(strings.Replace(digits, "_", ".", 1), 64)
	switch {
	case err != nil:
		return 0, ""
	case q > 100 && strings.HasPrefix(digits, "99") && !strings.ContainsAny(digits, "._"):
		return q, fmt.Sprintf("p%s is above p100; write p%s.%s", digits, digits[:2], digits[2:])
	case q <= 0 || q > 100:
		return q, fmt.Sprintf("p%s is not a percentile; use p0.1 to p100", digits)
	}
	return q, ""
}

// nearest is the measure that was most likely meant, or empty.
func nearest(word string) string {
	if len(word) < 3 {
		return ""
	}
	return meant.One(word, append([]string{
		achieved, "max", "mean", "p50", "p95", "p99", "file.p95", "service.p99", "lag.p99", "response.p99",
	}, counts()...))
}
