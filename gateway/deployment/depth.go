package deployment

// The depths of a conformance run, which determine how many of the possible tests it makes.
const (
	DepthQuick    = "quick"
	DepthStandard = "standard"
	DepthThorough = "thorough"
)

// Depths lists the depths, from the fastest to the most thorough.
func Depths() []string { return []string{DepthQuick, DepthStandard, DepthThorough} }

// RequestsAtDepth returns how many requests a run may send: MaxRequests, or four times as many
// for a thorough run, which makes about four times as many tests.
func (l Limits) RequestsAtDepth(depth string) int {
	if depth == DepthThorough {
		return 4 * l.MaxRequests
	}
	return l.MaxRequests
}
