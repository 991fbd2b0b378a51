package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"
)

// netHTTP is the client of the standard library behind the same interface.
type netHTTP struct {
	opts Options
	rt   *http.Transport
	ctx  context.Context
	stop context.CancelFunc
}

func newNetHTTP(o Options, d *dialer) *netHTTP {
	ctx, stop := context.WithCancel(context.Background())
	rt := &http.Transport{
		TLSClientConfig:        d.conf.Clone(),
		DisableCompression:     true,
		DisableKeepAlives:      o.NoReuse,
		MaxIdleConns:           0,
		MaxIdleConnsPerHost:    1 << 20,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: int64(o.MaxHead),
		WriteBufferSize:        4 << 10,
		ReadBufferSize:         4 << 10,
		Protocols:              new(http.Protocols),
	}
	rt.TLSClientConfig.NextProtos = nil // set by net/http from the protocols
	switch {
	case !o.HTTP2:
		rt.Protocols.SetHTTP1(true)
	case d.secure:
		rt.Protocols.SetHTTP2(true)
	default:
		rt.Protocols.SetUnencryptedHTTP2(true)
	}
	if o.Proxy != nil {
		rt.Proxy = http.ProxyURL(o.Proxy)
		rt.DialContext = (&net.Dialer{KeepAlive: 30 * time.Second}).DialContext
	} else {
		rt.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) { return d.dial(ctx) }
	}
	return &netHTTP{opts: o, rt: rt, ctx: ctx, stop: stop}
}

func (t *netHTTP) Name() Name { return NetHTTP }

func (t *netHTTP) Cut() { t.stop() }

func (t *netHTTP) Close() {
	t.stop()
	t.rt.CloseIdleConnections()
}

func (t *netHTTP) Open() Session {
	s := &netSession{t: t}
	s.ctx, s.stop = context.WithCancel(t.ctx)
	s.traced = httptrace.WithClientTrace(s.ctx, &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) {
			s.sent, s.reused = time.Since(s.base), info.Reused
		},
	})
	return s
}

type netSession struct {
	t      *netHTTP
	ctx    context.Context
	traced context.Context
	stop   context.CancelFunc
	body   []byte

	base   time.Time // of the exchange at hand
	sent   time.Duration
	reused bool
}

// Do implements Session.
func (s *netSession) Do(x *Exchange) {
	x.reset()
	s.base, s.sent, s.reused = x.Base, 0, false
	x.Began = time.Since(x.Base)
	req, err := s.request(x)
	if err != nil {
		x.Done = time.Since(x.Base)
		x.fail(err)
		return
	}
	ctx, cancel := context.WithTimeout(s.traced, s.t.opts.Timeout)
	defer cancel()
	resp, err := s.t.rt.RoundTrip(req.WithContext(ctx))
	if err == nil {
		err = s.read(x, resp)
	}
	x.Done = time.Since(x.Base)
	x.Sent, x.Reused = s.sent, s.reused
	if x.Sent > 0 {
		x.Wrote = int64(len(x.Body))
	}
	if err != nil {
		switch {
		case s.ctx.Err() != nil:
			err = errCut
		case ctx.Err() != nil:
			err = errTimeout
		}
		x.fail(fromNetHTTP(err))
	}
}

func (s *netSession) read(x *Exchange, resp *http.Response) error {
	defer resp.Body.Close()
	limit := int64(s.t.opts.MaxBody)
	if int64(cap(s.body)) > keptBuffer {
		s.body = nil
	}
	body := s.body[:0]
	for {
		if len(body) == cap(body) {
			body = append(body, 0)[:len(body)]
		}
		n, err := resp.Body.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if int64(len(body)) > limit {
			return malformed("its body is larger than %d bytes", limit)
		}
		if errors.Is(err, io.EOF) && err != io.ErrUnexpectedEOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return malformed("status 101 where nobody asked for another protocol")
	}
	s.body = body
	x.Status, x.Answer, x.Read = resp.StatusCode, body, int64(len(body))
	x.Proto2, x.Closed = resp.ProtoMajor == 2, resp.Close
	x.all = resp.Header
	return nil
}

// request builds what net/http sends. The body cannot be rewound, so that net/http never sends it a second time.
func (s *netSession) request(x *Exchange) (*http.Request, error) {
	method, path := x.Method, x.Path
	if method == "" {
		method = http.MethodPost
	}
	if path == "" {
		path = "/"
	}
	if !plain(path) || path[0] != '/' {
		return nil, fmt.Errorf("the request cannot be built: its path %q is not one", path)
	}
	u, err := url.ParseRequestURI(path)
	if err != nil {
		return nil, fmt.Errorf("the request cannot be built: its path %q is not one", path)
	}
	u.Scheme, u.Host = s.t.opts.Base.Scheme, s.t.opts.Base.Host
	header := make(http.Header, len(x.Fields)+1)
	for _, f := range x.Fields {
		header[f.Name] = append(header[f.Name], string(f.Value))
	}
	header["User-Agent"] = []string{s.t.opts.UserAgent}
	req := &http.Request{Method: method, URL: u, Host: x.Host, Header: header, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
	if len(x.Body) > 0 {
		req.Body, req.ContentLength = &onceBody{r: strings.NewReader(string(x.Body))}, int64(len(x.Body))
	}
	return req, nil
}

// onceBody hides the type of its reader, from which net/http would learn how to rewind it.
type onceBody struct{ r io.Reader }

func (b *onceBody) Read(p []byte) (int, error) { return b.r.Read(p) }
func (b *onceBody) Close() error               { return nil }

// Cut implements Session.
func (s *netSession) Cut() { s.stop() }

// Close implements Session.
func (s *netSession) Close() { s.stop() }
