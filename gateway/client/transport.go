package client

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/strictyaml"
)

// largestPEM bounds a file of certificates or of a key, in bytes.
const largestPEM = 8 << 20

// Transport makes what requests to a deployment go through: its trusted certificates and client certificate, its proxy,
// and a dialer that tries the addresses of both families of a name. timeout bounds a connection and a handshake. The
// caller may change pools and protocols before the first request, but not its TLS or proxy. The error names the key.
func Transport(dep *deployment.File, timeout time.Duration) (*http.Transport, error) {
	conf, err := tlsConfig(dep.TLS)
	if err != nil {
		return nil, err
	}
	proxy, err := Proxy(dep)
	if err != nil {
		return nil, err
	}
	return &http.Transport{
		Proxy:                  proxy,
		DialContext:            (&net.Dialer{Timeout: timeout, KeepAlive: 15 * time.Second}).DialContext,
		TLSClientConfig:        conf,
		TLSHandshakeTimeout:    timeout,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true,            // headers are judged as they were sent
		IdleConnTimeout:        4 * time.Second, // below what servers use: one that they just closed breaks a request
		MaxResponseHeaderBytes: maxHeader,
	}, nil
}

// tlsConfig makes what verifies the deployment's certificate and shows the client's own. The error names the key.
func tlsConfig(t deployment.TLS) (*tls.Config, error) {
	conf := &tls.Config{
		InsecureSkipVerify: t.InsecureSkipVerify, // #nosec: asked for in the deployment file
		MinVersion:         tls.VersionTLS12,
	}
	if t.CAFile != "" {
		pem, err := strictyaml.ReadRegular(t.CAFile, largestPEM)
		if err != nil {
			return nil, fmt.Errorf("tls.ca_file: expected a readable PEM file at %s, found %w", t.CAFile, err)
		}
		if conf.RootCAs, err = x509.SystemCertPool(); err != nil {
			conf.RootCAs = x509.NewCertPool() // a machine without certificates of its own
		}
		if !conf.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("tls.ca_file: %s contains no PEM certificate", t.CAFile)
		}
	}
	if t.ClientCert != "" {
		pair, err := t.Pair()
		if err != nil {
			return nil, fmt.Errorf("tls.client_cert: %w", err)
		}
		conf.Certificates = []tls.Certificate{pair}
	}
	return conf, nil
}

// Proxy chooses the proxy of a request: that of the deployment file for every request, else that of the environment for
// all that leaves this machine.
func Proxy(dep *deployment.File) (func(*http.Request) (*url.URL, error), error) {
	if dep.Proxy != "" {
		u, err := url.Parse(dep.Proxy)
		if err != nil {
			return nil, fmt.Errorf("proxy: not a valid address") // the error would quote its password
		}
		return http.ProxyURL(u), nil
	}
	return http.ProxyFromEnvironment, nil
}
