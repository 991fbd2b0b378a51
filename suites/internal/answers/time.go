package answers

import (
	"net/http"
	"time"

	"github.com/gateassay/gateassay/internal/client"
)

// clockTolerance is how far a time may be off: the host that answers and the one that stores may
// have different clocks.
const clockTolerance = 5 * time.Minute

// ServerTime returns the time of an answer by the deployment's clock: its Date header, or our
// own clock without one.
func ServerTime(x *client.Exchange) time.Time {
	if date, err := http.ParseTime(x.Header.Get("Date")); err == nil {
		return date
	}
	return x.StartedAt.Add(x.Service)
}

// IsCurrentTime reports whether a time is that of an answer by the deployment's clock or by
// ours. judged is false where it is neither and the two clocks differ, so that either may be
// right.
func IsCurrentTime(x *client.Exchange, at time.Time) (right, judged bool) {
	theirs, ours := ServerTime(x), x.StartedAt.Add(x.Service)
	near := func(a, b time.Time) bool { return a.Sub(b).Abs() <= clockTolerance }
	right = near(at, theirs) || near(at, ours)
	return right, right || near(theirs, ours)
}
