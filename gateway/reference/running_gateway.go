package reference

import (
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"sync"
	"time"
)

// RunningGateway is a gateway that listens on an address.
type RunningGateway struct {
	URL     string // such as "http://127.0.0.1:8080"
	Gateway *Gateway

	servers []*http.Server
	serving sync.WaitGroup
	release func() bool // stops watching the context
}

// Start listens on an address such as "127.0.0.1:8080". The default host is 127.0.0.1; port 0
// picks a free one. The gateway runs until Close is called or ctx ends. Start fails if the
// options are invalid or the address is taken.
func Start(ctx context.Context, addr string, opts Options) (*RunningGateway, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("address %q: expected HOST:PORT, such as 127.0.0.1:8080: %w", addr, err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	g, err := New(opts)
	if err != nil {
		return nil, err
	}
	r := &RunningGateway{Gateway: g, release: func() bool { return true }}
	r.URL, err = r.serve(ctx, net.JoinHostPort(host, port), g)
	if err == nil && g.choices.Retrieval == RetrievalByForeignURL {
		downloads, origin := http.NewServeMux(), ""
		downloads.HandleFunc("GET "+downloadPath, g.newHandler(opDownload, (*request).handleDownload))
		origin, err = r.serve(ctx, net.JoinHostPort(host, "0"), downloads)
		g.downloads.Store(&origin)
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	r.release = context.AfterFunc(ctx, r.shutdown)
	return r, nil
}

func (r *RunningGateway) serve(
	ctx context.Context, addr string, handler http.Handler,
) (string, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return "", fmt.Errorf("cannot listen: %w; choose another address with --addr", err)
	}
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: requestTimeout,
		WriteTimeout: requestTimeout + answerTimeout, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: maxHeaderBytes,
	}
	r.servers = append(r.servers, server)
	scheme, serve := "http://", server.Serve
	if r.Gateway.choices.HTTP2 {
		if server.TLSConfig, err = selfSignedTLS(); err != nil {
			return "", errors.Join(err, listener.Close())
		}
		scheme, serve = "https://", func(l net.Listener) error { return server.ServeTLS(l, "", "") }
	}
	r.serving.Go(func() {
		if err := serve(listener); !errors.Is(err, http.ErrServerClosed) {
			_ = listener.Close()
		}
	})
	return scheme + listener.Addr().String(), nil
}

// selfSignedTLS returns a configuration with a new self-signed certificate.
func selfSignedTLS() (*tls.Config, error) {
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, err
	}
	stated := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(tokenLifetime)}
	certificate, err := x509.CreateCertificate(nil, stated, stated, key.Public(), key)
	return &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{certificate}, PrivateKey: key}},
	}, err
}

// Close stops listening, gives pending requests up to three seconds to finish, and waits until
// all servers have stopped.
func (r *RunningGateway) Close() {
	r.release()
	r.shutdown()
	r.serving.Wait()
}

func (r *RunningGateway) shutdown() {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	for _, server := range r.servers {
		if server.Shutdown(ctx) != nil {
			_ = server.Close()
		}
	}
}
