package merge

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gateassay/gateassay/gateway/must"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/results"
)

// Records of strangers are refused or become a run that can be read again.
func FuzzMerge(f *testing.F) {
	record := func(shard int) []byte {
		dir := usual.with(func(m *made) { m.shards, m.shard, m.rate = 2, shard, "5/s" }).write(f, f.TempDir())
		return must.Get(os.ReadFile(filepath.Join(dir, runfolder.IntervalsName)))(f)
	}
	first, second := record(0), record(1)
	exchange := []byte(`{"k":1,"class":"timeout","at":"2026-05-01T12:00:00Z"}` + "\n{\"k\":")
	f.Add(first, second, exchange)
	f.Add(first[:len(first)*2/3], second, []byte("null\n"))
	f.Add(first, []byte{}, []byte{})
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, first, second, exchanges []byte) {
		out := t.TempDir()
		for shard, data := range map[string][]byte{"0": first, "1": second} {
			at := filepath.Join(dir, shard)
			must.Succeed(t, os.MkdirAll(at, 0o755))
			must.Succeed(t, os.WriteFile(filepath.Join(at, runfolder.IntervalsName), data, 0o600))
			must.Succeed(t, os.WriteFile(filepath.Join(at, results.ExchangesName), exchanges, 0o600))
			must.Succeed(t, os.WriteFile(filepath.Join(at, runfolder.RunName), []byte("{}"), 0o600)) // came to its end
		}
		r, err := Merge(t.Context(), Options{Places: []string{dir}, Out: filepath.Join(out, "merged")})
		if err != nil {
			return
		}
		if again, err := results.Load(r.Folder); err != nil || again.Run.ID != r.Run.Run.ID {
			t.Errorf("the merged run %q is read as %q, %v", r.Run.Run.ID, again.Run.ID, err)
		}
	})
}
