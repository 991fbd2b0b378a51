package metrics

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
)

// exportEach is how often metrics are sent, exportWithin how long sending may take.
const (
	exportEach   = 10 * time.Second
	exportWithin = 5 * time.Second
)

// exporter sends the metrics of one run by OTLP over HTTP: what is served, native histograms as exponential ones.
type exporter struct {
	provider *metric.MeterProvider
	sender   *sender
}

// sender keeps why the last attempt failed, where the SDK would log it in the middle of what a terminal shows.
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

// export sends the metrics of a registry to a collector every ten seconds, until close. Where the address has no path,
// /v1/metrics is added. Headers and TLS settings come from the environment, as OTEL_EXPORTER_OTLP_HEADERS and its like.
func export(ctx context.Context, to *url.URL, registry prometheus.Gatherer, run Run) (*exporter, error) {
	u := *to
	if u.Path == "" || u.Path == "/" {
		u.Path = "/v1/metrics"
	}
	out, err := otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(u.String()))
	if err != nil {
		return nil, fmt.Errorf("--otlp: %w", err)
	}
	s := &sender{Exporter: out}
	reader := metric.NewPeriodicReader(s, metric.WithInterval(exportEach), metric.WithTimeout(exportWithin),
		metric.WithProducer(bridge.NewMetricProducer(bridge.WithGatherer(registry))))
	about := resource.NewSchemaless(
		attribute.String("service.name", "gateassay"), attribute.String("service.version", run.Version),
		attribute.String("gateassay.run", run.ID), attribute.String("gateassay.deployment", run.Deployment),
	)
	return &exporter{metric.NewMeterProvider(metric.WithReader(reader), metric.WithResource(about)), s}, nil
}

// close sends the figures of the whole run and ends the export. It returns why they could not be sent.
func (e *exporter) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), exportWithin)
	defer cancel()
	err := e.provider.Shutdown(ctx) // sends once more
	e.sender.mu.Lock()
	defer e.sender.mu.Unlock()
	if err = errors.Join(e.sender.err, err); err != nil {
		return fmt.Errorf("--otlp: the metrics could not be sent: %w", err)
	}
	return nil
}
