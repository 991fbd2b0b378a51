package store

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		place, below, above string
		bucket              bool
	}{
		{"s3://bucket", "s3://bucket/r1/0", "s3://bucket", true},
		{"s3://bucket/load/", "s3://bucket/load/r1/0", "s3://bucket", true},
		{"gs://bucket/a/b?x=/y", "gs://bucket/a/b/r1/0?x=/y", "gs://bucket/a?x=/y", true},
		{"/results/load", "/results/load/r1/0", "/results", false},
		{"results", "results/r1/0", ".", false},
	} {
		if below, above := JoinPlace(c.place, "r1", "0"), JoinPlace(c.place, ".."); below != c.below ||
			above != c.above || IsBucket(c.place) != c.bucket {
			t.Errorf("%s: %s, %s", c.place, below, above)
		}
	}
}

func TestWhatCannotBeOpened(t *testing.T) {
	for place, want := range map[string]string{
		"ftp://host/a":   "a folder, or the URL of a bucket",
		"s3:///a":        "a folder, or the URL of a bucket",
		"azblob://box/a": "make build-cloud",
	} {
		_, err := Buckets(nil).Open(t.Context(), place)
		testmust.FailWith(t, err, want, place)
	}
}

func TestANameIsTakenOnce(t *testing.T) {
	dir := t.TempDir()
	s := testmust.Get(Buckets(nil).Open(t.Context(), dir))(t)
	var made atomic.Int64
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			switch err := CreateSmall(t.Context(), s, "ready/0", []byte{byte('a' + i)}); {
			case err == nil:
				made.Add(1)
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
		})
	}
	all.Wait()
	testmust.Equal(t, made.Load(), 1)
	testmust.Equal(t, len(testmust.Get(os.ReadDir(dir+"/ready"))(t)), 1)
	if list := testmust.Get(s.List(t.Context(), "ready/"))(t); len(list) != 1 ||
		list[0].Key != "ready/0" || list[0].Changed.IsZero() {
		t.Errorf("%+v", list)
	}
	if _, err := ReadAll(t.Context(), s, "absent"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
}
