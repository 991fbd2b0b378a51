package deployment

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"

	"github.com/gateassay/gateassay/gateway/runfolder"
)

// largestPEM bounds a file of certificates or of a key, in bytes.
const largestPEM = 8 << 20

// Config makes what verifies the deployment's certificate and shows the client's own. Where it cannot, key names what
// is wrong in the deployment file.
func (t TLS) Config() (conf *tls.Config, key string, err error) {
	conf = &tls.Config{
		InsecureSkipVerify: t.InsecureSkipVerify, // #nosec: asked for in the deployment file
		MinVersion:         tls.VersionTLS12,
	}
	var pem [3][]byte
	for i, file := range []struct{ key, path string }{
		{"tls.ca_file", t.CAFile}, {"tls.client_cert", t.ClientCert}, {"tls.client_key", t.ClientKey},
	} {
		if file.path == "" {
			continue
		}
		if pem[i], err = runfolder.Read(file.path, largestPEM); err != nil {
			return nil, file.key, fmt.Errorf("expected a readable PEM file: %w", err)
		}
	}
	if t.CAFile != "" {
		if conf.RootCAs, err = x509.SystemCertPool(); err != nil {
			conf.RootCAs = x509.NewCertPool() // a machine without certificates of its own
		}
		if !conf.RootCAs.AppendCertsFromPEM(pem[0]) {
			return nil, "tls.ca_file", errors.New("expected a PEM file with at least one certificate, found none in it")
		}
	}
	if t.ClientCert != "" {
		pair, err := tls.X509KeyPair(pem[1], pem[2])
		if err != nil {
			return nil, "tls.client_cert", fmt.Errorf("expected a certificate and its key in PEM, not encrypted, found %w", err)
		}
		conf.Certificates = []tls.Certificate{pair}
	}
	return conf, "", nil
}
