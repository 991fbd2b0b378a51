// Package testmust fails tests when a call that must succeed returns an error.
package testmust

// TB is the part of testing.TB that this package needs.
type TB interface {
	Helper()
	Fatal(args ...any)
}

// Get returns the value of a call, and fails the test if there is an error:
// testmust.Get(os.ReadFile(path))(t).
func Get[V any](v V, err error) func(TB) V {
	return func(t TB) V {
		t.Helper()
		Succeed(t, err)
		return v
	}
}

// Succeed fails the test if there is an error.
func Succeed(t TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
