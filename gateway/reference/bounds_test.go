package reference

import (
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/iotest"
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

// Entries that are large make a store forget earlier, so that its memory is bounded by their size as well.
func TestMemoryIsBoundedByBytes(t *testing.T) {
	const most = 10
	v := newVolatile(most)
	value := strings.Repeat("x", entrySize*most/4)
	for i := range 100 {
		v.put(representatives, strings.Repeat("k", i+1), value)
		if _, found := v.get(representatives, strings.Repeat("k", i+1)); !found {
			t.Fatalf("entry %d is not there at once", i)
		}
		bytes := 0
		for _, generation := range []map[string]string{v.young[representatives], v.old[representatives]} {
			for key, value := range generation {
				bytes += len(key) + len(value)
			}
		}
		if bytes > 3*entrySize*most {
			t.Fatalf("%d bytes after entry %d, expected at most %d", bytes, i, 3*entrySize*most)
		}
	}
	for range 100 {
		v.put(creations, "the same", value[:entrySize])
	}
	if len(v.old[creations]) > 0 {
		t.Error("an entry that is put again counts as another one")
	}
	for i := range 100 {
		v.put(files, strings.Repeat("k", i+1), "small")
	}
	if held := len(v.young[files]) + len(v.old[files]); held < most || held > 2*most {
		t.Errorf("%d small entries are held, expected %d to %d", held, most, 2*most)
	}
}

// A client that stops amid its body is told so: 200 is what net/http answers where nobody does.
func TestABodyWithoutItsEndIsNotAccepted(t *testing.T) {
	g := try(t, Choices{})
	for _, path := range []string{createPath, exportPath} {
		stops := io.MultiReader(strings.NewReader(`{"a":"`), iotest.ErrReader(os.ErrDeadlineExceeded))
		w := g.send(http.MethodPost, path, stops, "x-transaction-uuid", uuid.NewString())
		if w.Code != http.StatusRequestTimeout || !strings.Contains(w.Body.String(), "the body is incomplete") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}
