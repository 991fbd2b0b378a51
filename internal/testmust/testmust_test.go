package testmust_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

// told keeps what a test that goes wrong would say.
type told struct{ said []string }

func (*told) Helper() {}

func (t *told) Errorf(format string, args ...any) {
	t.said = append(t.said, fmt.Sprintf(format, args...))
}

func (t *told) Fatal(args ...any) { t.said = append(t.said, fmt.Sprint(args...)) }

func TestWhatIsNotAsItMustBeIsTold(t *testing.T) {
	var right, wrong told
	testmust.Equal(&right, 2, 2)
	testmust.Contain(&right, "a text", "text")
	testmust.FailWith(&right, errors.New("no such file"), "such")
	testmust.Succeed(&right, nil)
	if right.said != nil {
		t.Errorf("told of what is right: %q", right.said)
	}
	testmust.Equal(&wrong, "a", "b", "the name of", 7)
	testmust.Equal(&wrong, 1, 2)
	testmust.Contain(&wrong, "a text", "page", "it")
	testmust.FailWith(&wrong, errors.New("no such file"), "page")
	testmust.FailWith(&wrong, nil, "")
	testmust.Succeed(&wrong, errors.New("no such file"))
	const want = `the name of 7: got "a", want "b"
got 1, want 2
it: "page" is missing in
a text
got the error no such file, want "page"
got the error <nil>, want ""
no such file`
	if said := strings.Join(wrong.said, "\n"); said != want {
		t.Errorf("told\n%s\nwant\n%s", said, want)
	}
}
