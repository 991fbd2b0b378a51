package deployment

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/internal/testmust"
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

const head = "name: a\nbase_url: http://h\n"

// TestProblemsNeverShowASecret checks the lines of secrets.txt: a document that is refused, or
// after + the rest of one. No problem may contain the word SECRET.
func TestProblemsNeverShowASecret(t *testing.T) {
	long := strings.Repeat("SECRET-", 60)
	env := environment(
		map[string]string{"LONG": long, "TOKEN": "SECRET value", "OTHER": "SECRETSECRET"})
	signs := strings.NewReplacer("⏎", "\n", "␍", "\r", "LONGTEXT", long)
	for line := range strings.Lines(string(testmust.Get(os.ReadFile("testdata/secrets.txt"))(t))) {
		text := signs.Replace(strings.TrimSuffix(line, "\n"))
		if rest, ok := strings.CutPrefix(text, "+"); ok {
			text = head + rest
		}
		_, err := Parse("t.yaml", "testdata", []byte(text), env)
		if err == nil {
			t.Errorf("accepted: %s", line)
		} else if shown := fmt.Sprintf("%v %+v",
			err, err.(*strictyaml.Problems).All); strings.Contains(shown, "SECRET") {
			t.Errorf("%s shows\n%s", line, shown)
		}
	}
}

func TestEmptyVariableOfACredential(t *testing.T) {
	_, err := Parse("t.yaml", "testdata",
		[]byte(head+"credentials:\n  platform_token: ${EMPTY}\n  api_key: k\n"),
		environment(map[string]string{"EMPTY": ""}))
	testmust.FailWith(t, err, "EMPTY is empty")
}
