package export_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/target"
)

// misreading changes the fields of exports on their way to the gateway.
func misreading(change func(header http.Header, fields map[string]any)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			var fields map[string]any
			if strings.HasSuffix(r.URL.Path, "/exports") && json.Unmarshal(body, &fields) == nil && fields != nil {
				change(r.Header, fields)
				body, _ = json.Marshal(fields)
			}
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			next.ServeHTTP(w, r)
		})
	}
}

// One defect fails the rules that it breaks, and is named with what it takes.
func TestADefectIsNamedWithWhatItTakes(t *testing.T) {
	const filter, prefix = "export.filter.client_id", "export.filter.prefix"
	const start, precision = "export.range.start_inclusive", "export.range.precision"
	roundStart := func(_ http.Header, fields map[string]any) {
		text, _ := fields["date_start"].(string)
		if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
			fields["date_start"] = at.Round(time.Second).Format(time.RFC3339Nano)
		}
	}
	loseEnd := func(header http.Header, fields map[string]any) {
		text, _ := fields["date_end"].(string)
		if _, err := time.Parse(time.RFC3339Nano, text); err == nil && header.Get(target.HeaderTarget) != "" {
			delete(fields, "date_end")
		}
	}
	for name, c := range map[string]struct {
		fault   string
		misread func(http.Header, map[string]any)
		failed  []string
		says    string
	}{
		"a filter": {
			fault: "export.filter.client_id.broken_ascending", failed: []string{filter, prefix},
			says: "only with order asc",
		},
		"a start": {
			fault: "export.range.start_inclusive.broken_with_product", failed: []string{start},
			says: "only with x-product-uuid",
		},
		"a start that is rounded": {
			misread: roundStart, failed: []string{precision}, says: "rounds the start to whole seconds",
		},
		"an end": {
			misread: loseEnd, failed: []string{"export.range.end_exclusive"},
			says: "only with x-product-target-user-uuid",
		},
		"a refusal": {
			fault: "export.success.asc_refused_on_behalf", failed: []string{"export.success"},
			says: "Valid export refused: 400, expected 2xx, only with x-product-target-user-uuid, order asc",
		},
		"a refusal of fields": {
			fault: "export.success.asc_refused_by_settled", failed: []string{"export.success"},
			says: "All fields together refused: 400, expected 2xx, only with sort settled_date, order asc",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := reference.Options{}
			if c.fault != "" {
				o.Faults = []string{c.fault}
			}
			if c.misread == nil {
				c.misread = func(http.Header, map[string]any) {}
			}
			j := judgeBehind(t, o, misreading(c.misread), nil)
			failOnly(t, j, c.failed...)
			if text := j.Explain(record.Fail); !strings.Contains(text, c.says) {
				t.Errorf("expected %q in%s", c.says, text)
			}
		})
	}
}
