package create

import (
	"strconv"

	"github.com/gateassay/gateassay/gateway/client"
)

// status is what a request got, in one word.
func status(x *client.Exchange) string {
	if x == nil || x.Status == 0 {
		return "no answer"
	}
	return strconv.Itoa(x.Status)
}
