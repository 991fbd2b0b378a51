package metrics

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

func registry(src Source, run Labels) *prometheus.Registry {
	r, labels := prometheus.NewRegistry(), prometheus.Labels{}
	if run.Shard != "" {
		labels["shard"] = run.Shard
	}
	prometheus.WrapRegistererWith(labels, r).MustRegister(&collector{src, run},
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewGoCollector())
	return r
}

// Server shows the metrics of a run while it goes: to whoever scrapes them, and to a collector.
type Server struct {
	listener net.Listener // nil: nothing is served
	server   http.Server
	exporter *exporter // nil: there is no collector
}

// Open takes an address to serve metrics on, such as :9090, and that of a collector; either may be
// empty. It may fail before anything of a run exists.
func Open(addr, collector string) (s *Server, err error) {
	s = &Server{server: http.Server{ReadHeaderTimeout: 5 * time.Second,
		WriteTimeout: 30 * time.Second}}
	if collector != "" {
		if s.exporter, err = newExporter(collector); err != nil {
			return nil, err
		}
	}
	if addr != "" {
		if s.listener, err = net.Listen("tcp", addr); err != nil {
			return nil, fmt.Errorf("--metrics %s: %w; choose a free address such as :9090", addr,
				err)
		}
	}
	return s, nil
}

// Start shows the metrics of a run until Close, and gives the address that they are served on;
// empty: nowhere.
func (s *Server) Start(ctx context.Context, src Source, run Labels) (address string, err error) {
	r := registry(src, run)
	if s.exporter != nil {
		err = s.exporter.start(ctx, r, run)
	}
	if err != nil || s.listener == nil {
		return "", err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(r, promhttp.HandlerOpts{EnableOpenMetrics: true,
		MaxRequestsInFlight: 4}))
	s.server.Handler = mux
	go func() { _ = s.server.Serve(s.listener) }()
	return "http://" + s.listener.Addr().String() + "/metrics", nil
}

// Close sends the figures of the whole run to the collector, and ends serving. It returns why the
// figures could not be sent.
func (s *Server) Close() (unsent error) {
	if s.exporter != nil {
		unsent = s.exporter.close()
		s.exporter = nil
	}
	if s.listener != nil {
		_ = s.listener.Close()
		_ = s.server.Close()
	}
	return unsent
}
