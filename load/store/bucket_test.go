package store

import (
	"strings"
	"testing"
)

func TestPlaces(t *testing.T) {
	for _, c := range []struct{ place, below, above string }{
		{"s3://bucket", "s3://bucket/r1/0", "s3://bucket"},
		{"s3://bucket/load/", "s3://bucket/load/r1/0", "s3://bucket"},
		{"gs://bucket/a/b?x=/y", "gs://bucket/a/b/r1/0?x=/y", "gs://bucket/a?x=/y"},
	} {
		if below, above := Join(c.place, "r1", "0"), Dir(c.place); below != c.below || above != c.above ||
			!Is(c.place) {
			t.Errorf("%s: %s, %s", c.place, below, above)
		}
	}
	for _, folder := range []string{"/results/r1", "results", `C:\results`, ""} {
		if Is(folder) {
			t.Errorf("%q is taken for a bucket", folder)
		}
	}
}

func TestWhatCannotBeOpened(t *testing.T) {
	for place, want := range map[string]string{
		"ftp://host/a":   "begins with s3://, gs:// or azblob://",
		"s3:///a":        "expected the URL of a bucket",
		"azblob://box/a": "go build -tags azblob",
	} {
		if _, err := Open(t.Context(), place); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", place, err)
		}
	}
}
