// Package testmust ends tests at a call that failed and had to succeed.
package testmust

// TB is what it needs of a test.
type TB interface {
	Helper()
	Fatal(args ...any)
}

// Get returns what a call gave, and ends the test where it failed:
// testmust.Get(os.ReadFile(path))(t).
func Get[V any](v V, err error) func(TB) V {
	return func(t TB) V {
		t.Helper()
		Succeed(t, err)
		return v
	}
}

// Succeed ends the test where a call failed.
func Succeed(t TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
