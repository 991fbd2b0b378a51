package reference

import "testing"

func TestFaultsAreDeclaredOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Faults() {
		if seen[f.Name] {
			t.Errorf("%s is declared twice", f.Name)
		}
		seen[f.Name] = true
		if f.Statement == "" || f.Rule == "" {
			t.Errorf("%s does not say what it does, or what it breaks", f.Name)
		}
	}
	for name := range faultTable() {
		if !seen[name] {
			t.Errorf("%s is in faults.tsv, and nothing declares it", name)
		}
	}
}
