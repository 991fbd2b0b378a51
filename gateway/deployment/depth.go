package deployment

// The depths of a conformance run: how much of what could be tried it tries.
const (
	DepthQuick    = "quick"
	DepthStandard = "standard"
	DepthThorough = "thorough"
)

// Depths lists the depths, from the one that tries least.
func Depths() []string { return []string{DepthQuick, DepthStandard, DepthThorough} }

// RequestsAtDepth is how many requests a run of a depth may send: MaxRequests, and a thorough one
// four times as many, as it tries about four times as much as others.
func (l Limits) RequestsAtDepth(depth string) int {
	if depth == DepthThorough {
		return 4 * l.MaxRequests
	}
	return l.MaxRequests
}
