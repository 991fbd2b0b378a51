package outcome_test

import (
	"testing"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/outcome"
)

func TestASuccessThatHoldsNoResultIsNotAccepted(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		want   outcome.Outcome
	}{
		{201, `{"id":"1"}`, outcome.Accepted},
		{200, "", outcome.Accepted},
		{200, `{"error":"no"}`, outcome.ErrorInside},
		{200, "\n<!DOCTYPE html>\n<title>400</title>", outcome.Page},
		{200, "<HTML><body>400 Bad Request</body></HTML>", outcome.Page},
		{200, "<export><id>html</id></export>", outcome.Accepted},
		{200, `{"file_id":"1","note":"<html>"}`, outcome.Accepted},
		{400, "<html></html>", outcome.Refused},
		{502, "<html></html>", outcome.ServerError},
	} {
		x := &client.Exchange{Status: c.status, Body: []byte(c.body)}
		if got := outcome.Of(x); got != c.want {
			t.Errorf("%d %s: %q, want %q", c.status, c.body, got, c.want)
		}
	}
}
