package metrics

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Registry is a registry of its own with the metrics of a run and those of this process.
func Registry(src Source, run Run) (*prometheus.Registry, error) {
	r := prometheus.NewRegistry()
	var labelled prometheus.Registerer = r
	if run.Shard != "" {
		labelled = prometheus.WrapRegistererWith(prometheus.Labels{"shard": run.Shard}, r)
	}
	for _, c := range []prometheus.Collector{
		&collector{src, run}, collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewGoCollector(),
	} {
		if err := labelled.Register(c); err != nil {
			return nil, fmt.Errorf("the metrics cannot be served: %w", err)
		}
	}
	return r, nil
}

// Exposition shows the metrics of a run to others while it goes: to whoever scrapes them, and to a collector.
type Exposition struct {
	listener net.Listener // nil: nothing is served
	server   *http.Server
	served   chan error
	endpoint *url.URL // of a collector; nil: none
	exporter *exporter
}

// Open takes an address to serve metrics on, such as :9090, and that of a collector; either may be empty. It may fail
// before anything of a run exists.
func Open(addr, collector string) (*Exposition, error) {
	x := &Exposition{served: make(chan error, 1)}
	if collector != "" {
		u, err := url.Parse(collector)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return nil, fmt.Errorf("--otlp %q: expected the address of a collector, such as http://collector:4318", collector)
		}
		x.endpoint = u
	}
	if addr == "" {
		return x, nil
	}
	var err error
	if x.listener, err = net.Listen("tcp", addr); err != nil {
		return nil, fmt.Errorf("--metrics %s: %w; choose a free address such as :9090", addr, err)
	}
	return x, nil
}

// Start shows the metrics of a run until Close.
func (x *Exposition) Start(ctx context.Context, src Source, run Run) error {
	registry, err := Registry(src, run)
	if err == nil && x.endpoint != nil {
		x.exporter, err = export(ctx, x.endpoint, registry, run)
	}
	if err != nil || x.listener == nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry,
		promhttp.HandlerOpts{EnableOpenMetrics: true, MaxRequestsInFlight: 4}))
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "gateassay load run; metrics are at /metrics")
	})
	x.server = &http.Server{
		Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
	}
	go func() { x.served <- x.server.Serve(x.listener) }()
	return nil
}

// URL is where metrics can be scraped; empty: nowhere.
func (x *Exposition) URL() string {
	if x.listener == nil {
		return ""
	}
	return "http://" + x.listener.Addr().String() + "/metrics"
}

// Close ends serving, and sends the figures of the whole run to the collector; scrapes under way have two seconds. It
// returns why serving ended before, if it did, and why the figures could not be sent.
func (x *Exposition) Close() (failed, unsent error) {
	if x.exporter != nil {
		unsent = x.exporter.close()
		x.exporter = nil
	}
	if x.server == nil {
		if x.listener != nil {
			_ = x.listener.Close()
		}
		return nil, unsent
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if x.server.Shutdown(ctx) != nil {
		_ = x.server.Close()
	}
	if failed = <-x.served; errors.Is(failed, http.ErrServerClosed) {
		failed = nil
	}
	x.served <- http.ErrServerClosed // it may be closed again
	return failed, unsent
}
