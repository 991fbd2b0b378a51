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

// registry is one of its own with the metrics of a run and those of this process.
func registry(src Source, run Run) (*prometheus.Registry, error) {
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

// Server serves the metrics of a run while it goes. A nil one serves nothing.
type Server struct {
	listener net.Listener
	server   http.Server
}

// Listen takes an address, such as :9090; empty: none. It may fail before anything of a run exists.
func Listen(addr string) (*Server, error) {
	if addr == "" {
		return nil, nil
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("--metrics %s: %w; choose a free address such as :9090", addr, err)
	}
	return &Server{listener: listener, server: http.Server{
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
	}}, nil
}

// Serve shows the metrics of a run until Close, and gives their address; empty: nowhere.
func (s *Server) Serve(src Source, run Run) (url string, err error) {
	if s == nil {
		return "", nil
	}
	r, err := registry(src, run)
	if err != nil {
		return "", err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(r, promhttp.HandlerOpts{EnableOpenMetrics: true, MaxRequestsInFlight: 4}))
	s.server.Handler = mux
	go func() { _ = s.server.Serve(s.listener) }()
	return "http://" + s.listener.Addr().String() + "/metrics", nil
}

// Close ends it; scrapes under way have two seconds.
func (s *Server) Close() {
	if s == nil {
		return
	}
	_ = s.listener.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if s.server.Shutdown(ctx) != nil {
		_ = s.server.Close()
	}
}
