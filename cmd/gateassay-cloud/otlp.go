package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	bridge "go.opentelemetry.io/contrib/bridges/prometheus"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/resource"

	"github.com/gateassay/gateassay/load/metrics"
)

// exportInterval is the time between exports, exportTimeout the timeout of one.
const (
	exportInterval = 10 * time.Second
	exportTimeout  = 5 * time.Second
)

// exporter sends the metrics of a run by OTLP over HTTP. Native histograms become exponential
// ones.
type exporter struct {
	endpoint string
	provider *metric.MeterProvider
	sender   *sender
}

// newExporter returns an exporter to the collector at a URL; the default path is /v1/metrics.
// Headers and TLS settings come from OTEL_EXPORTER_OTLP_HEADERS and similar variables.
func newExporter(collector string) (metrics.Exporter, error) {
	u, err := url.Parse(collector)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("--otlp %q: expected the address of a collector, such as "+
			"http://collector:4318", collector)
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/v1/metrics"
	}
	return &exporter{endpoint: u.String()}, nil
}

// sender keeps the error of the last attempt, which the SDK would otherwise log onto the terminal.
type sender struct {
	metric.Exporter
	mu  sync.Mutex
	err error
}

// Export implements metric.Exporter.
func (s *sender) Export(ctx context.Context, data *metricdata.ResourceMetrics) error {
	err := s.Exporter.Export(ctx, data)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
	return nil
}

// Start implements metrics.Exporter.
func (e *exporter) Start(ctx context.Context, registry prometheus.Gatherer,
	run metrics.RunLabels,
) error {
	out, err := otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(e.endpoint))
	if err != nil {
		return fmt.Errorf("--otlp: %w", err)
	}
	e.sender = &sender{Exporter: out}
	reader := metric.NewPeriodicReader(e.sender, metric.WithInterval(exportInterval),
		metric.WithTimeout(exportTimeout),
		metric.WithProducer(bridge.NewMetricProducer(bridge.WithGatherer(registry))))
	about := resource.NewSchemaless(attribute.String("service.name", "gateassay"),
		attribute.String("service.version", run.Version), attribute.String("gateassay.run", run.Run),
		attribute.String("gateassay.deployment", run.Deployment))
	e.provider = metric.NewMeterProvider(metric.WithReader(reader), metric.WithResource(about))
	return nil
}

// Close implements metrics.Exporter.
func (e *exporter) Close() error {
	if e.provider == nil {
		return nil // the run did not start
	}
	ctx, cancel := context.WithTimeout(context.Background(), exportTimeout)
	defer cancel()
	err := e.provider.Shutdown(ctx) // sends the final metrics
	e.sender.mu.Lock()
	defer e.sender.mu.Unlock()
	if err = errors.Join(e.sender.err, err); err != nil {
		return fmt.Errorf("--otlp: the metrics could not be sent: %w", err)
	}
	return nil
}
