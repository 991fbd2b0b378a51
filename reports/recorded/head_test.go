package recorded_test

import (
	"errors"
	"testing"

	"github.com/gateassay/gateassay/reports/recorded"
)

func TestEveryKindIsReadFromItsRunJSON(t *testing.T) {
	for schema, kind := range map[string]recorded.Kind{
		"gateassay/conformance/v1": recorded.OfConformance, "gateassay/load/v1": recorded.OfLoad,
		"gateassay/load-capacity/v1": recorded.OfCapacity,
	} {
		run, err := recorded.Parse([]byte(`{"schema":"` + schema + `","verdict":"pass","reason":"why",` +
			`"run":{"id":"a","deployment":"staging","base_url":"http://x","started_at":"2026-01-02T03:04:05Z","partial":true}}`))
		h := run.Head()
		if err != nil || run.Kind != kind || h.ID != "a" || h.Deployment != "staging" || h.BaseURL != "http://x" ||
			kind != recorded.OfConformance && (h.Verdict != "pass" || h.Reason != "why") ||
			!h.Partial || h.Started.Year() != 2026 {
			t.Errorf("%s: %+v, %v", schema, h, err)
		}
	}
}

func TestAnotherSchemaIsNamed(t *testing.T) {
	var other recorded.UnknownSchema
	if _, err := recorded.Parse([]byte(`{"schema":"gateassay/load/v9"}`)); !errors.As(err, &other) ||
		other != "gateassay/load/v9" {
		t.Error(err)
	}
	if _, err := recorded.Parse([]byte(`{}`)); !errors.As(err, &other) || other != "" {
		t.Error(err)
	}
	if _, err := recorded.Parse([]byte(`{"schema":`)); err == nil || errors.As(err, &other) {
		t.Error(err)
	}
}
