package reference

import "testing"

func TestFaultsAreDeclaredOnce(t *testing.T) {
	named, changed := map[string]bool{}, map[string]bool{}
	for _, f := range Faults() {
		if named[f.Name] {
			t.Errorf("%s is declared twice", f.Name)
		}
		named[f.Name] = true
		if f.Statement == "" || f.Rule == "" {
			t.Errorf("%s does not say what it does, or what it breaks", f.Name)
		}
	}
	for _, topic := range faultChanges() {
		for name := range topic {
			if changed[name] || !named[name] {
				t.Errorf("%s is declared twice, or faults.tsv lacks it", name)
			}
			changed[name] = true
		}
	}
}
