package deployment

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"

	"github.com/gateassay/gateassay/internal/runfolder"
)

// maxPEMBytes is the maximum size of a PEM file, in bytes.
const maxPEMBytes = 8 << 20

// Config returns the TLS configuration of a client. If it fails, key is the setting that is
// wrong.
func (t TLS) Config() (conf *tls.Config, key string, err error) {
	conf = &tls.Config{
		InsecureSkipVerify: t.InsecureSkipVerify, // #nosec: asked for in the deployment file
		MinVersion:         tls.VersionTLS12,
	}
	if t.CAFile != "" {
		pem, err := runfolder.ReadBounded(t.CAFile, maxPEMBytes)
		if err != nil {
			return nil, "tls.ca_file", fmt.Errorf("expected a readable PEM file: %w", err)
		}
		if conf.RootCAs, err = x509.SystemCertPool(); err != nil {
			conf.RootCAs = x509.NewCertPool() // the system has no certificates
		}
		if !conf.RootCAs.AppendCertsFromPEM(pem) {
			return nil, "tls.ca_file", errors.New(
				"expected a PEM file with at least one certificate, found none in it")
		}
	}
	if t.ClientCert != "" {
		pair, err := tls.LoadX509KeyPair(t.ClientCert, t.ClientKey)
		if err != nil {
			return nil, "tls.client_cert", fmt.Errorf(
				"expected a certificate and its key in PEM, not encrypted, found %w", err)
		}
		conf.Certificates = []tls.Certificate{pair}
	}
	return conf, "", nil
}
