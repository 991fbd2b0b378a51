package deployment

// The depths of a conformance run: how much of what could be tried it tries.
const (
	Quick    = "quick"
	Standard = "standard"
	Thorough = "thorough"
)

// Depths lists the depths, from the one that tries least.
func Depths() []string { return []string{Quick, Standard, Thorough} }

// RequestsAtDepth is how many requests a run of a depth may send: MaxRequests, and a thorough one
// four times as many, as it tries about four times as much as others.
func (l Limits) RequestsAtDepth(depth string) int {
	if depth == Thorough {
		return 4 * l.MaxRequests
	}
	return l.MaxRequests
}
