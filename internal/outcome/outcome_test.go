package outcome_test

import (
	"testing"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/outcome"
	"github.com/gateassay/gateassay/internal/testmust"
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
		testmust.Equal(t, outcome.Of(x), c.want, c.status, c.body)
	}
}

// An answer with a status of success is no acceptance if its body is an error, in one of the forms
// that frameworks and API gateways give it. A result may hold a status of its own.
func TestAnErrorBehindAStatusOfSuccess(t *testing.T) {
	for body, want := range map[string]outcome.Outcome{
		`{"statusCode":401,"message":"Unauthorized"}`:       outcome.ErrorInside,
		`{"timestamp":"2025-01-01T00:00:00Z","status":400}`: outcome.ErrorInside,
		`{"code":500}`: outcome.ErrorInside,
		`{"code":"INVALID","message":"no nonce"}`:                outcome.ErrorInside,
		`{"error":"no nonce"}`:                                   outcome.ErrorInside,
		`{"success":false}`:                                      outcome.ErrorInside,
		`{"statusCode":201,"message":"created"}`:                 outcome.Accepted,
		`{"code":"CREATED"}`:                                     outcome.Accepted,
		`{"message":"received"}`:                                 outcome.Accepted,
		`{"file_id":"7","code":404,"file_state":{"code":"NEW"}}`: outcome.Accepted,
		`{"id":"7","status":"500"}`:                              outcome.Accepted,
		`received`:                                               outcome.Accepted,
	} {
		testmust.Equal(t, outcome.Of(&client.Exchange{Status: 200, Body: []byte(body)}), want, body)
	}
}
