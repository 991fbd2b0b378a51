// Package metrics serves what a load run measures to Prometheus while it goes, and sends it by OTLP
// in a build with that tag. Figures are those of the recorder, up to its last interval; a scrape
// costs the requests of the run nothing. Times are histograms, native and with classic buckets; the
// recent quantiles beside them suit any scraper.
package metrics

import (
	"math"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
)

// Source is where the figures come from; *results.Recorder is one.
type Source interface {
	Status() results.Status
	Each(f func(time threshold.Time, class string, d *results.Distribution))
}

// Labels name the run in gateassay_load_info.
type Labels struct {
	Run, Deployment, Version string

	Shard     string    // label of every metric where several processes send the run; empty: none
	StartedAt time.Time // native histograms count from here
}

const namespace = "gateassay_load_"

type collector struct {
	src Source
	run Labels
}

// Describe lists nothing: which metrics there are depends on the run.
func (c *collector) Describe(chan<- *prometheus.Desc) {}

func describe(name, help string, labels prometheus.Labels) *prometheus.Desc {
	return prometheus.NewDesc(namespace+name, help, nil, labels)
}

// Collect reads the figures.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	s := c.src.Status()
	labelled := func(kind prometheus.ValueType, name, help string, v float64,
		labels prometheus.Labels) {
		out <- prometheus.MustNewConstMetric(describe(name, help, labels), kind, v)
	}
	gauge := func(name, help string, v float64) {
		labelled(prometheus.GaugeValue, name, help, v,
			nil)
	}
	counter := func(name, help string, v int64) {
		labelled(prometheus.CounterValue, name, help,
			float64(v), nil)
	}
	labelled(prometheus.GaugeValue, "info", "The run under way; always 1.", 1,
		prometheus.Labels{"run": c.run.Run, "deployment": c.run.Deployment,
			"version": c.run.Version})
	for class, n := range s.Classes {
		labelled(prometheus.CounterValue, "requests_total", "Requests by outcome.", float64(n),
			prometheus.Labels{"class": judge.Class(class).String()})
	}
	for _, t := range []struct {
		name, words string
		times       results.Times
	}{{"service", "service time", s.Service}, {"response", "response time", s.Response},
		{"lag", "send lag", s.Lag}} {
		for _, s := range results.Statistics() {
			if s.Quantile > 0 {
				labelled(prometheus.GaugeValue, "recent_"+t.name+"_seconds",
					"Quantiles of "+t.words+" in the last second.",
					*s.Of(&t.times)/1000,
					prometheus.Labels{"quantile": strconv.FormatFloat(s.Quantile/100, 'g', 6,
						64)})
			}
		}
	}
	gauge("target_rate", "Requests per second that the schedule planned for the last second.",
		s.Target)
	gauge("achieved_rate", "Requests per second that were sent in the last second.", s.Achieved)
	gauge("in_flight", "Requests sent and not answered yet.", float64(s.InFlight))
	counter("due_total", "Requests that were due by the schedule so far.", s.Due)
	counter("sent_total", "Requests sent so far.", s.Sent)
	gauge("planned_requests", "Requests of the whole schedule.", float64(s.Scheduled))
	gauge("cpu_ratio", "Share of this machine's CPUs that the generator used in the last second, "+
		"0 to 1.", s.CPU)
	gauge("machine_cpu_ratio", "Share of this machine's CPUs that all processes used in the last "+
		"second, 0 to 1.", s.Machine.CPU)
	gauge("elapsed_seconds", "Time since the start of the schedule.", s.To.Seconds())
	gauge("duration_seconds", "Length of the schedule.", s.Duration.Seconds())
	gauge("stage", "Stage of the schedule that is under way, from 1.", float64(s.Stage))
	if f := s.Files; f != nil {
		for outcome, n := range map[string]int64{"ready": f.Ready, "failed": f.Failed,
			"dropped": f.Dropped} {
			labelled(prometheus.CounterValue, "files_total",
				"Export files that were tracked, by outcome.", float64(n),
				prometheus.Labels{"outcome": outcome})
		}
		gauge("files_pending", "Export files that are tracked and not ready yet.",
			float64(f.Pending))
	}
	c.src.Each(func(time threshold.Time, class string, times *results.Distribution) {
		switch time {
		case threshold.Service:
			out <- c.native("service_seconds",
				"Time from sending a request to the end of its answer.", times,
				prometheus.Labels{"class": class})
		case threshold.Response:
			out <- c.native("response_seconds",
				"Time from when a request was due by the schedule to "+
					"the end of its answer.", times, prometheus.Labels{"class": class})
		case threshold.Lag:
			out <- c.native("lag_seconds",
				"How late the generator sent requests, not counting waits for the limit of "+
					"requests in flight.", times, nil)
		}
	})
}

// schema of the native histograms: buckets grow by 2^(1/32), 2.2 %.
const schema = 5

func (c *collector) native(name, help string, times *results.Distribution,
	labels prometheus.Labels) prometheus.Metric {
	d := describe(name, help, labels)
	buckets := map[int]int64{}
	times.Each(func(t time.Duration, n int64) {
		buckets[int(math.Ceil(math.Log2(max(t.Seconds(), 1e-6))*(1<<schema)))] += n
	})
	m, err := prometheus.NewConstNativeHistogram(d, uint64(times.Count()),
		times.Mean().Seconds()*float64(times.Count()),
		buckets, nil, 0, schema, 1e-128, c.run.StartedAt)
	if err != nil {
		return prometheus.NewInvalidMetric(d, err)
	}
	return histogram{m, times}
}

// histogram is a native one with classic buckets beside its own, which is what a Prometheus scrapes
// that was not told otherwise.
type histogram struct {
	prometheus.Metric
	times *results.Distribution
}

// Write implements prometheus.Metric.
func (h histogram) Write(m *dto.Metric) error {
	if err := h.Metric.Write(m); err != nil {
		return err
	}
	for _, bound := range prometheus.ExponentialBuckets(0.001, 1.5, 28) { // to a minute
		m.Histogram.Bucket = append(m.Histogram.Bucket, &dto.Bucket{UpperBound: new(bound),
			CumulativeCount: new(uint64(0))})
	}
	h.times.Each(func(t time.Duration, n int64) {
		for _, b := range m.Histogram.Bucket {
			if t.Seconds() <= b.GetUpperBound() {
				*b.CumulativeCount += uint64(n)
			}
		}
	})
	return nil
}
