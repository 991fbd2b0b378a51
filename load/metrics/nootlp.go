//go:build !otlp

package metrics

import (
	"context"
	"errors"

	"github.com/prometheus/client_golang/prometheus"
)

// exporter is nothing here: the OpenTelemetry SDK, which brings gRPC along, would be a fifth of the
// binary's packages.
type exporter struct{}

func newExporter(string) (*exporter, error) {
	return nil, errors.New("--otlp: this gateassay was built without OTLP; build it with go " +
		"build -tags otlp ./cmd/gateassay, or let the collector scrape --metrics")
}

func (*exporter) start(context.Context, prometheus.Gatherer, Labels) error { return nil }

func (*exporter) close() error { return nil }
