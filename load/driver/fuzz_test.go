package driver

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/gateassay/gateassay/gateway/must"
)

// Whatever lies in the folder of a rendezvous, shard 0 begins only with one that sends the same plan to the same place.
func FuzzRendezvous(f *testing.F) {
	f.Add(must.Get(json.Marshal(member(1, 2)))(f), []byte(`{"stop":"shard 1 cannot begin"}`))
	f.Add([]byte(`{"shards":2,"plan_hash":"aa","base_url":"https://b.example"}`), []byte(`{"start":"9999-12-31T00:00:00Z"}`))
	f.Add([]byte(`{"shards":-1`), []byte(`null`))
	dir := f.TempDir()
	b := must.Get(newBarrier(Rendezvous{Place: dir}, member(0, 2)))(f)
	mine := must.Get(json.Marshal(b.mine))(f)
	must.Succeed(f, os.MkdirAll(filepath.Join(b.Place, "ready"), 0o755))
	f.Fuzz(func(t *testing.T, other, call []byte) {
		for name, data := range map[string][]byte{"ready/0": mine, "ready/1": other} {
			must.Succeed(t, os.WriteFile(filepath.Join(b.Place, name), data, 0o600))
		}
		_ = os.Remove(filepath.Join(b.Place, goName))
		_ = must.Get(b.look(t.Context()))(t)
		var said presence
		var s signal
		if b.read(t.Context(), goName, &s) == nil && s.Start != nil {
			must.Succeed(t, json.Unmarshal(other, &said))
			if key, _, _ := b.mine.differs(said); key != "" {
				t.Errorf("it begins with %q, which differs in %s", other, key)
			}
		}
		must.Succeed(t, os.WriteFile(filepath.Join(b.Place, goName), call, 0o600))
		s = signal{}
		if err := b.read(t.Context(), goName, &s); err == nil != (json.Unmarshal(call, &signal{}) == nil) {
			t.Errorf("%q is read as %+v, %v", call, s, err)
		}
	})
}
