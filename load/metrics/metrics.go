// Package metrics serves the metrics of a running load run to Prometheus and sends them to a
// collector. Figures come from the recorder, up to its last interval, so a scrape does not slow
// requests. Times are native histograms that also have classic buckets, and recent quantiles
// suit any scraper.
package metrics

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"

	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
)

// A Source provides the figures. *results.Recorder implements it.
type Source interface {
	Status() results.Status
	EachDistribution(f func(time threshold.TimeKind, class string, d *results.Distribution))
}

// RunLabels holds the labels of the run in gateassay_load_info.
type RunLabels struct {
	Run, Deployment, Version string

	Shard     string    // label of all metrics of a run with shards; empty: none
	StartedAt time.Time // native histograms count from here
}

type collector struct {
	src Source
	run RunLabels
}

// Describe implements prometheus.Collector. It lists nothing: metrics depend on the run.
func (c *collector) Describe(chan<- *prometheus.Desc) {}

func newDesc(name, help string, labels prometheus.Labels) *prometheus.Desc {
	return prometheus.NewDesc("gateassay_load_"+name, help, nil, labels)
}

// Collect implements prometheus.Collector.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	s := c.src.Status()
	type labels = prometheus.Labels
	send := func(kind prometheus.ValueType, name, help string, v float64, with labels) {
		out <- prometheus.MustNewConstMetric(newDesc(name, help, with), kind, v)
	}
	gauge := func(name, help string, v float64) { send(prometheus.GaugeValue, name, help, v, nil) }
	counter := func(name, help string, n int64, with labels) {
		send(prometheus.CounterValue, name, help, float64(n), with)
	}
	send(prometheus.GaugeValue, "info", "The run under way; always 1.", 1, labels{
		"run": c.run.Run, "deployment": c.run.Deployment, "version": c.run.Version,
	})
	for class, n := range s.Classes {
		counter("requests_total", "Requests by outcome.", n, labels{"class": judge.Class(class).String()})
	}
	recent := func(name, words string, times results.DurationStats) {
		for _, s := range results.Statistics() {
			if s.Quantile > 0 {
				send(prometheus.GaugeValue, "recent_"+name+"_seconds",
					"Quantiles of "+words+" in the last second.", *s.Of(&times)/1000,
					labels{"quantile": strconv.FormatFloat(s.Quantile/100, 'g', 6, 64)})
			}
		}
	}
	recent("service", "service time", s.Service)
	recent("response", "response time", s.Response)
	recent("lag", "send lag", s.Lag)
	gauge("target_rate", "Requests per second planned for the last second.", s.Target)
	gauge("achieved_rate", "Requests per second sent in the last second.", s.Achieved)
	gauge("in_flight", "Requests sent and not answered yet.", float64(s.InFlight))
	counter("due_total", "Requests that were due by the schedule so far.", s.Due, nil)
	counter("sent_total", "Requests sent so far.", s.Sent, nil)
	gauge("planned_requests", "Requests of the whole schedule.", float64(s.Scheduled))
	gauge("cpu_ratio", "Share of the machine's CPUs that the generator used in the last second, "+
		"0 to 1.", s.CPU)
	gauge("machine_cpu_ratio", "Share of the machine's CPUs that all processes used in the last "+
		"second, 0 to 1.", s.Machine.CPU)
	gauge("elapsed_seconds", "Time since the start of the schedule.", s.To.Seconds())
	gauge("duration_seconds", "Length of the schedule.", s.Duration.Seconds())
	gauge("stage", "Stage of the schedule that is under way, from 1.", float64(s.Stage))
	if f := s.Files; f != nil {
		const help = "Export files that were followed, by outcome."
		counter("files_total", help, f.Ready, labels{"outcome": "ready"})
		counter("files_total", help, f.Failed, labels{"outcome": "failed"})
		counter("files_total", help, f.Dropped, labels{"outcome": "dropped"})
		gauge("files_pending", "Export files that are not ready yet.", float64(f.Pending))
	}
	c.src.EachDistribution(func(time threshold.TimeKind, class string, times *results.Distribution) {
		switch time {
		case threshold.TimeService:
			out <- c.histogram("service_seconds", "Time from sending a request to the end of its "+
				"answer.", times, labels{"class": class})
		case threshold.TimeResponse:
			out <- c.histogram("response_seconds", "Time from when a request was due by the "+
				"schedule to the end of its answer.", times, labels{"class": class})
		case threshold.TimeLag:
			out <- c.histogram("lag_seconds",
				"How late the generator sent requests, without waits "+
					"for the limit of requests in flight.", times, nil)
		}
	})
}

const nativeHistogramSchema = 5 // buckets grow by 2^(1/32), 2.2%

func (c *collector) histogram(name, help string, times *results.Distribution,
	labels prometheus.Labels,
) prometheus.Metric {
	d := newDesc(name, help, labels)
	buckets := map[int]int64{}
	times.Each(func(t time.Duration, n int64) {
		buckets[int(math.Ceil(math.Log2(max(t.Seconds(), 1e-6))*(1<<nativeHistogramSchema)))] += n
	})
	sum := times.Mean().Seconds() * float64(times.Count())
	m, err := prometheus.NewConstNativeHistogram(d, uint64(times.Count()), sum, buckets, nil, 0,
		nativeHistogramSchema, 1e-128, c.run.StartedAt)
	if err != nil {
		return prometheus.NewInvalidMetric(d, err)
	}
	return histogram{m, times}
}

// A histogram is a native histogram that also has classic buckets, which Prometheus scrapes by
// default.
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
		m.Histogram.Bucket = append(m.Histogram.Bucket,
			&dto.Bucket{UpperBound: new(bound), CumulativeCount: new(uint64(0))})
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

func newRegistry(src Source, run RunLabels) *prometheus.Registry {
	r, labels := prometheus.NewRegistry(), prometheus.Labels{}
	if run.Shard != "" {
		labels["shard"] = run.Shard
	}
	prometheus.WrapRegistererWith(labels, r).MustRegister(&collector{src, run},
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), collectors.NewGoCollector())
	return r
}

// A Server serves the metrics of a running run to scrapers and sends them to a collector.
type Server struct {
	listener net.Listener // nil: metrics are not served
	server   http.Server
	exporter Exporter // nil: no collector
}

// An Exporter sends the metrics of one run to a collector.
type Exporter interface {
	// Start sends the gathered metrics regularly until Close.
	Start(ctx context.Context, metrics prometheus.Gatherer, run RunLabels) error
	// Close sends the figures of the whole run. It returns an error if they could not be sent.
	Close() error
}

// NewExporter makes an exporter to the collector at an address. It may be nil.
type NewExporter func(collector string) (Exporter, error)

// Open listens on addr, such as :9090, to serve metrics and connects to a collector. Either may
// be empty.
func Open(addr, collector string, export NewExporter) (s *Server, err error) {
	s = &Server{server: http.Server{
		ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 30 * time.Second,
	}}
	switch {
	case collector == "":
	case export == nil:
		return nil, errors.New(
			"--otlp: this gateassay was built without OTLP; make build-cloud builds one that has it, " +
				"or let the collector scrape --metrics",
		)
	default:
		if s.exporter, err = export(collector); err != nil {
			return nil, err
		}
	}
	if addr != "" {
		if s.listener, err = net.Listen("tcp", addr); err != nil {
			return nil, fmt.Errorf("--metrics %s: %w; choose a free address such as :9090", addr, err)
		}
	}
	return s, nil
}

// Start serves and sends the metrics of a run until Close. It returns the URL that they are
// served on, or "".
func (s *Server) Start(ctx context.Context, src Source, run RunLabels) (address string, err error) {
	r := newRegistry(src, run)
	if s.exporter != nil {
		err = s.exporter.Start(ctx, r, run)
	}
	if err != nil || s.listener == nil {
		return "", err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(r, promhttp.HandlerOpts{
		EnableOpenMetrics: true, MaxRequestsInFlight: 4,
	}))
	s.server.Handler = mux
	go func() { _ = s.server.Serve(s.listener) }()
	return "http://" + s.listener.Addr().String() + "/metrics", nil
}

// Close sends the figures of the whole run to the collector and stops serving. It returns an
// error if the figures could not be sent.
func (s *Server) Close() (unsent error) {
	if s.exporter != nil {
		unsent = s.exporter.Close()
		s.exporter = nil
	}
	if s.listener != nil {
		_ = s.listener.Close()
		_ = s.server.Close()
	}
	return unsent
}
