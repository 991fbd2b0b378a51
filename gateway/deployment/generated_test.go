package deployment

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/gateassay/gateassay/gateway/must"
)

//go:generate go test -run TestGeneratedFilesAreFresh -update .

var update = flag.Bool("update", false, "write the generated documents")

func TestGeneratedFilesAreFresh(t *testing.T) {
	schema := must.Get(Schema())(t)
	for path, want := range map[string][]byte{
		"../../docs/deployment.md":          Reference(),
		"../../docs/deployment.schema.json": schema,
	} {
		if *update {
			must.Succeed(t, os.WriteFile(path, want, 0o644))
		}
		got := must.Get(os.ReadFile(path))(t)
		if !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: go generate ./gateway/deployment writes it again", path)
		}
	}
}
