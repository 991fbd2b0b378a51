package reference

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Running is a gateway that listens.
type Running struct {
	URL     string // such as "http://127.0.0.1:8080"
	Gateway *Gateway

	servers []*http.Server
	serving sync.WaitGroup
	once    sync.Once
	closing sync.Once
	release func() bool // stops watching the context
	hangUp  HangUp
}

// Start listens on an address such as "127.0.0.1:8080"; without a host it is the loopback one, with port 0 a free one.
// The gateway runs until Close or until the context ends. It fails when the options are wrong or the address is taken.
func Start(ctx context.Context, addr string, opts Options) (*Running, error) {
	g, err := New(opts)
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("address %q: expected HOST:PORT, such as 127.0.0.1:8080: %w", addr, err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	r := &Running{Gateway: g, hangUp: g.choices.HangUp}
	handler := http.Handler(g)
	if opts.Around != nil {
		handler = opts.Around(g)
	}
	if r.URL, err = r.serve(ctx, net.JoinHostPort(host, port), handler); err != nil {
		return nil, errors.Join(err, g.store.close())
	}
	if g.choices.Retrieval == ByForeignAddress {
		downloads := http.NewServeMux()
		downloads.HandleFunc("GET "+downloadPath, g.handle(downloading, (*call).download))
		origin, err := r.serve(ctx, net.JoinHostPort(host, "0"), downloads)
		if err != nil {
			r.Close()
			return nil, err
		}
		g.downloads.Store(&origin)
	}
	r.release = context.AfterFunc(ctx, r.shutdown)
	return r, nil
}

func (r *Running) serve(ctx context.Context, addr string, handler http.Handler) (string, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return "", fmt.Errorf("cannot listen: %w; choose another address with --addr", err)
	}
	var open atomic.Int64
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: sendingTime,
		WriteTimeout: sendingTime + readingTime,
		IdleTimeout:  2 * time.Minute, MaxHeaderBytes: maxHeader,
		ConnState: func(conn net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				if open.Add(1) > maxConnections {
					_ = conn.Close()
				}
			case http.StateIdle:
				r.hangUp.on(conn)
			case http.StateClosed, http.StateHijacked:
				open.Add(-1)
			}
		},
	}
	r.servers = append(r.servers, server)
	r.serving.Go(func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			_ = listener.Close()
		}
	})
	return "http://" + listener.Addr().String(), nil
}

// on ends a connection that has just served a request.
func (h HangUp) on(conn net.Conn) {
	switch h {
	case Closes:
		_ = conn.Close()
	case Resets:
		time.AfterFunc(20*time.Millisecond, func() {
			if tcp, ok := conn.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0)
			}
			_ = conn.Close()
		})
	}
}

// Close stops listening, lets requests under way finish for up to three seconds, and waits until everything has ended.
func (r *Running) Close() {
	if r.release != nil {
		r.release()
	}
	r.shutdown()
	r.serving.Wait()
	r.closing.Do(func() { _ = r.Gateway.store.close() }) // every step is kept already
}

func (r *Running) shutdown() {
	r.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		for _, server := range r.servers {
			if server.Shutdown(ctx) != nil {
				_ = server.Close()
			}
		}
	})
}
