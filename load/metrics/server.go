package metrics

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
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

// Server serves /metrics of one run.
type Server struct {
	listener net.Listener
	server   *http.Server
	done     chan struct{}
	err      error
}

// Listen takes an address such as :9090, which may fail before anything of a run exists.
func Listen(addr string) (net.Listener, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("--metrics %s: %w; choose a free address such as :9090", addr, err)
	}
	return listener, nil
}

// Serve answers scrapes on a listener until Close, in whatever format the scraper asks for.
func Serve(listener net.Listener, src Source, run Run) (*Server, error) {
	registry, err := Registry(src, run)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry,
		promhttp.HandlerOpts{EnableOpenMetrics: true, MaxRequestsInFlight: 4}))
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "gateassay load run; metrics are at /metrics")
	})
	s := &Server{listener: listener, done: make(chan struct{}), server: &http.Server{
		Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
	}}
	go func() {
		defer close(s.done)
		if err := s.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.err = err
		}
	}()
	return s, nil
}

// Addr is the address that is listened on.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Close ends the server; scrapes under way have two seconds. It returns why the server ended before, if it did.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if s.server.Shutdown(ctx) != nil {
		_ = s.server.Close()
	}
	<-s.done
	return s.err
}
