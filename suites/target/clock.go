package target

import (
	"net/http"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
)

// Tolerance is how far a moment may be off before it is called wrong: less than any mistaken time zone.
const Tolerance = 30 * time.Minute

// Clock is what the deployment's clock showed when it answered: the Date header, or our own clock without one.
func Clock(x *client.Exchange) time.Time {
	if date, err := http.ParseTime(x.Header.Get("Date")); err == nil {
		return date
	}
	return x.StartedAt.Add(x.Service)
}
