package design

import "slices"

// Minimise returns the smallest context found with which something still fails, by delta debugging: no single setting of
// it can be left out. fails is asked about subsets of a context that is known to fail; those that the constraints
// forbid are never asked about. An error of fails counts as no failure, so that trouble keeps a setting, and ends
// nothing.
func (d Design) Minimise(failing Context, fails func(Context) (bool, error)) Context {
	still := func(c Context) bool {
		if !d.Allows(c) {
			return false
		}
		failed, err := fails(c)
		return err == nil && failed
	}
	if len(failing) == 0 || still(nil) {
		return nil
	}
	for parts := 2; len(failing) > 1; {
		smaller := d.reduce(failing, parts, still)
		switch {
		case smaller != nil:
			failing, parts = smaller, max(2, min(parts-1, len(smaller)))
		case parts >= len(failing):
			return failing
		default:
			parts = min(2*parts, len(failing))
		}
	}
	return failing
}

// reduce returns the first of some equal parts of a context, or what is left without one, that still fails; nil where
// none does.
func (d Design) reduce(failing Context, parts int, still func(Context) bool) Context {
	size := (len(failing) + parts - 1) / parts
	chunks := slices.Collect(slices.Chunk(failing, size))
	for _, chunk := range chunks {
		if still(chunk) {
			return slices.Clone(chunk)
		}
	}
	if len(chunks) == 2 {
		return nil // what is left without one part is the other
	}
	for i := range chunks {
		if rest := slices.Concat(slices.Concat(chunks[:i]...), slices.Concat(chunks[i+1:]...)); still(rest) {
			return rest
		}
	}
	return nil
}
