package reference

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// Large bodies take many times their size once they are parsed: a few are held at once, and the others wait. Small ones
// do not.
func TestLargeBodiesWaitForEachOther(t *testing.T) {
	g := try(t, Choices{})
	large := with(g.person(), "complement", strings.Repeat("x", 2*smallJSON))
	create := func(body object) int {
		return g.createText(jsonOf(body), "x-transaction-uuid", uuid.NewString()).Code
	}
	for range maxParsed {
		g.parsing <- struct{}{}
	}
	if code := create(g.person()); code != 201 {
		t.Errorf("a small body beside large ones: %d", code)
	}
	done := make(chan int, 1)
	go func() { done <- create(large) }()
	select {
	case code := <-done:
		t.Fatalf("one large body more than %d was taken: %d", maxParsed, code)
	case <-time.After(50 * time.Millisecond):
	}
	<-g.parsing
	if code := <-done; code != 201 {
		t.Errorf("the body that waited: %d", code)
	}
	if held := len(g.parsing); held != maxParsed-1 {
		t.Errorf("%d places are taken after the answer, expected %d", held, maxParsed-1)
	}
}
