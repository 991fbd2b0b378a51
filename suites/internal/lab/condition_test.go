package lab_test

import (
	"context"
	"slices"
	"testing"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/design"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/target"
)

func TestNoConditionIsClaimedForWhatFailsInTurns(t *testing.T) {
	ascending := record.FactorValue{Factor: "order", Value: "asc"}
	bySettled := record.FactorValue{Factor: "sort", Value: "settled_date"}
	one, two := design.Configuration{ascending}, design.Configuration{bySettled, ascending}
	needsAscending := func(_ int, c design.Configuration) bool { return slices.Contains(c, ascending) }
	first := func(call int, _ design.Configuration) bool { return call == 0 }
	inTurns := func(call int, _ design.Configuration) bool { return call%2 == 0 }
	for i, c := range []struct {
		config design.Configuration
		fails  func(call int, c design.Configuration) bool
		want   design.Configuration
	}{
		{one, needsAscending, one},
		{two, needsAscending, one},
		{one, first, nil},
		{one, inTurns, nil},
		{two, inTurns, nil},
	} {
		built, _, _ := controls(t, "", always(202, `{"file_id":"1"}`))
		calls := -1
		got, err := built.FindFailingConfiguration(context.Background(),
			client.OperationExport, []design.Configuration{c.config}, target.Answer.IsSuccess,
			func(some design.Configuration) (target.Answer, error) {
				calls++
				if c.fails(calls, some) {
					return target.Answer{Exchange: &client.Exchange{Status: 400}}, nil
				}
				return target.Answer{Exchange: &client.Exchange{Status: 202}}, nil
			})
		if err != nil || !slices.Equal(got.Condition, c.want) {
			t.Errorf("%d: condition %v, error %v, want %v", i, got.Condition, err, c.want)
		}
	}
}

// A condition names a value only where the other values were tried and do not fail.
func TestAConditionClaimsNoMoreThanWasSeen(t *testing.T) {
	for _, c := range []struct {
		operation client.Operation
		fails     []record.FactorValue
		want      record.FactorValue
	}{
		{
			client.OperationCreate,
			[]record.FactorValue{{Factor: "qualification", Value: "OTHER"}},
			record.FactorValue{Factor: "qualification", Value: "OTHER"},
		},
		{
			client.OperationCreate,
			[]record.FactorValue{
				{Factor: "qualification", Value: "ATTORNEY"}, {Factor: "qualification", Value: "OTHER"},
			},
			record.FactorValue{Factor: "qualification", Value: "ATTORNEY or OTHER"},
		},
		{
			client.OperationCreate,
			[]record.FactorValue{
				{Factor: "qualification", Value: "ATTORNEY"},
				{Factor: "qualification", Value: "OTHER"},
				{Factor: "qualification", Value: "ADMINISTRATOR"},
			},
			record.FactorValue{Factor: "qualification", Value: "other than PARTNER"},
		},
		{
			client.OperationCreate,
			[]record.FactorValue{{Factor: "pep", Value: "true"}},
			record.FactorValue{Factor: "pep", Value: "true"},
		},
		{
			client.OperationExport,
			[]record.FactorValue{
				{Factor: "order", Value: "asc"}, {Factor: "order", Value: "desc"},
			},
			record.FactorValue{Factor: "order"},
		},
	} {
		built, _, _ := controls(t, fixtures, always(201, created))
		got, err := built.FindFailingConfiguration(context.Background(), c.operation,
			[]design.Configuration{c.fails[:1]}, target.Answer.IsSuccess,
			func(some design.Configuration) (target.Answer, error) {
				status := 201
				if slices.ContainsFunc(some,
					func(s record.FactorValue) bool { return slices.Contains(c.fails, s) }) {
					status = 400
				}
				return target.Answer{Exchange: &client.Exchange{Status: status}}, nil
			})
		if err != nil || !slices.Equal(got.StatedCondition, []record.FactorValue{c.want}) ||
			!slices.Equal(got.Condition, c.fails[:1]) {
			t.Errorf("%v: stated %v, condition %v, error %v", c.fails, got.StatedCondition, got.Condition,
				err)
		}
	}
}
