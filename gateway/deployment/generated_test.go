package deployment

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

//go:generate go test -run TestGeneratedFilesAreFresh -update .

var update = flag.Bool("update", false, "write the generated documents")

func TestGeneratedFilesAreFresh(t *testing.T) {
	schema, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]byte{
		"../../docs/deployment.md":          Reference(),
		"../../docs/deployment.schema.json": schema,
	} {
		if *update {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: go generate ./gateway/deployment writes it again", path)
		}
	}
}
