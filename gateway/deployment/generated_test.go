package deployment

import (
	"flag"
	"os"
	"testing"

	"github.com/gateassay/gateassay/gateway/must"
)

//go:generate go test -run TestGeneratedFilesAreFresh -update .

var update = flag.Bool("update", false, "write the generated documents")

func TestGeneratedFilesAreFresh(t *testing.T) {
	for path, want := range must.Get(pages())(t) {
		if *update {
			must.Succeed(t, os.WriteFile(path, []byte(want), 0o644))
		}
		if string(must.Get(os.ReadFile(path))(t)) != want {
			t.Errorf("%s is out of date: go generate ./gateway/deployment writes it again", path)
		}
	}
}
