package answers

import (
	"net/http"
	"time"

	"github.com/gateassay/gateassay/internal/client"
)

// clockTolerance is how far a moment may be off before it is called wrong: the host that answers
// and the one that stores may have clocks of their own.
const clockTolerance = 5 * time.Minute

// ServerTime is what the deployment's clock showed when it answered: the Date header, or our own
// clock without one.
func ServerTime(x *client.Exchange) time.Time {
	if date, err := http.ParseTime(x.Header.Get("Date")); err == nil {
		return date
	}
	return x.StartedAt.Add(x.Service)
}

// IsCurrentTime reports whether a moment is that of an answer by the deployment's clock or by ours,
// and whether that can be judged: where the two clocks differ, nobody knows which of them is right.
func IsCurrentTime(x *client.Exchange, at time.Time) (right, judged bool) {
	theirs, ours := ServerTime(x), x.StartedAt.Add(x.Service)
	near := func(a, b time.Time) bool { return a.Sub(b).Abs() <= clockTolerance }
	right = near(at, theirs) || near(at, ours)
	return right, right || near(theirs, ours)
}
