// Package metrics serves what a load run measures to Prometheus while it goes, and sends it by OTLP. Figures are those
// of the recorder, up to its last interval; a scrape costs the requests of the run nothing. Times are native
// histograms, which Prometheus scrapes in its protobuf format; the recent quantiles beside them suit any scraper.
package metrics

import (
	"math"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/results/histogram"
	"github.com/gateassay/gateassay/load/threshold"
)

// Source is where the figures come from; *results.Recorder is one.
type Source interface {
	Status() results.Status
	Each(f func(time threshold.Time, class string, h *histogram.Histogram))
}

// Run names the run in gateassay_load_info.
type Run struct {
	ID         string
	Deployment string
	Version    string
	StartedAt  time.Time // native histograms count from here
	Shard      string    // label of every metric, where several processes send the run; empty: none
}

const namespace = "gateassay_load_"

// collector turns the figures of a run into metrics, each time that it is scraped.
type collector struct {
	src Source
	run Run

	info, requests, service, response, lag  *prometheus.Desc
	recentService, recentResponse           *prometheus.Desc
	recentLag, target, achieved             *prometheus.Desc
	inFlight, due, sent, planned, cpu       *prometheus.Desc
	elapsed, duration, stage, files, pended *prometheus.Desc
}

func newCollector(src Source, run Run) *collector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(namespace+name, help, labels, nil)
	}
	return &collector{
		src: src, run: run,
		info:     desc("info", "The run that is going on; always 1.", "run", "deployment", "version"),
		requests: desc("requests_total", "Requests by what became of them.", "class"),
		service:  desc("service_seconds", "Time from sending a request to the end of its answer.", "class"),
		response: desc("response_seconds", "Time from the moment that the schedule meant a request to be sent "+
			"to the end of its answer.", "class"),
		lag:            desc("lag_seconds", "How late requests were sent, through no limit of requests in flight."),
		recentService:  desc("recent_service_seconds", "Quantiles of service time in the last second.", "quantile"),
		recentResponse: desc("recent_response_seconds", "Quantiles of response time in the last second.", "quantile"),
		recentLag:      desc("recent_lag_seconds", "Quantiles of send lag in the last second.", "quantile"),
		target:         desc("target_rate", "Requests per second that the schedule meant for the last second."),
		achieved:       desc("achieved_rate", "Requests per second that were sent in the last second."),
		inFlight:       desc("in_flight", "Requests sent and not answered."),
		due:            desc("due_total", "Requests that the schedule meant to be sent so far."),
		sent:           desc("sent_total", "Requests sent so far."),
		planned:        desc("planned_requests", "Requests of the whole schedule."),
		cpu: desc("cpu_ratio", "Share of this machine's CPUs that the generator used in the last "+
			"second, 0 to 1."),
		elapsed:  desc("elapsed_seconds", "Time since the start of the schedule."),
		duration: desc("duration_seconds", "Length of the schedule."),
		stage:    desc("stage", "Stage of the schedule that is under way, from 1."),
		files:    desc("files_total", "Export files that were tracked, by what became of them.", "outcome"),
		pended:   desc("files_pending", "Export files that are tracked and not ready yet."),
	}
}

// Describe lists nothing: which metrics there are depends on the run.
func (c *collector) Describe(chan<- *prometheus.Desc) {}

// Collect reads the figures.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	s := c.src.Status()
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	counter := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v, labels...)
	}
	gauge(c.info, 1, c.run.ID, c.run.Deployment, c.run.Version)
	for class, n := range s.Classes {
		counter(c.requests, float64(n), judge.Class(class).String())
	}
	for d, t := range map[*prometheus.Desc]results.Times{
		c.recentService: s.Service, c.recentResponse: s.Response, c.recentLag: s.Lag,
	} {
		for _, s := range results.Statistics() {
			if s.Quantile > 0 {
				gauge(d, *s.Of(&t)/1000, strconv.FormatFloat(s.Quantile/100, 'g', 6, 64))
			}
		}
	}
	gauge(c.target, s.Target)
	gauge(c.achieved, s.Achieved)
	gauge(c.inFlight, float64(s.InFlight))
	counter(c.due, float64(s.Due))
	counter(c.sent, float64(s.Sent))
	gauge(c.planned, float64(s.K))
	gauge(c.cpu, s.CPU)
	gauge(c.elapsed, s.Elapsed.Seconds())
	gauge(c.duration, s.Duration.Seconds())
	gauge(c.stage, float64(s.Stage))
	if f := s.Files; f != nil {
		counter(c.files, float64(f.Ready), "ready")
		counter(c.files, float64(f.Failed), "failed")
		counter(c.files, float64(f.Dropped), "dropped")
		gauge(c.pended, float64(f.Pending))
	}
	c.src.Each(func(time threshold.Time, class string, h *histogram.Histogram) {
		switch time {
		case threshold.Service:
			out <- c.native(c.service, h, class)
		case threshold.Response:
			out <- c.native(c.response, h, class)
		case threshold.Lag:
			out <- c.native(c.lag, h)
		}
	})
}

// schema of the native histograms: buckets grow by 2^(1/32), 2.2 %.
const schema = 5

// native converts a histogram; each of its buckets counts where its middle is.
func (c *collector) native(d *prometheus.Desc, h *histogram.Histogram, labels ...string) prometheus.Metric {
	buckets, sum, total := map[int]int64{}, 0.0, int64(0)
	h.Each(func(low, high time.Duration, n int64) {
		middle := (float64(low) + float64(high)) / 2 / 1e9
		buckets[int(math.Ceil(math.Log2(middle)*(1<<schema)))] += n
		sum += middle * float64(n)
		total += n
	})
	m, err := prometheus.NewConstNativeHistogram(d, uint64(total), sum, buckets, nil, 0,
		schema, 1e-128, c.run.StartedAt, labels...)
	if err != nil {
		return prometheus.NewInvalidMetric(d, err)
	}
	return m
}
