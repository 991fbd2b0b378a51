package deployment

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestATokenHoldsWhileItsRenewalFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fails := errors.New("out of order")
		issuer, ended := &Issuer{},
			func() context.Context { ctx, end := context.WithCancel(t.Context()); end(); return ctx }()
		for _, step := range []struct {
			later   time.Duration
			failing bool
			ctx     context.Context
			want    error
		}{
			{0, true, ended, context.Canceled},
			{0, false, t.Context(), nil}, // an interrupt is no error for others
			{90 * time.Second, true, t.Context(), nil},
			{20 * time.Second, true, t.Context(), fails},
			{0, false, t.Context(), fails}, // it is not retried at once
			{2 * renewalRetryPause, false, t.Context(), nil},
		} {
			time.Sleep(step.later)
			got, err := issuer.Token(step.ctx, func(context.Context) (string, time.Time, error) {
				if step.failing {
					return "", time.Time{}, fails
				}
				return "a", time.Now().Add(100 * time.Second), nil
			})
			if (got == "a") != (step.want == nil) || !errors.Is(err, step.want) {
				t.Errorf("%+v: %v, %v", step, got, err)
			}
		}
	})
}
