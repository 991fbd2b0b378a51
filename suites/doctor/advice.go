package doctor

import (
	"net/http"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/target"
)

// advice is what to do about an export that was not accepted.
func advice(x *client.Exchange) string {
	switch {
	case x.Err != nil:
		return adviceFor(x.Err)
	case x.Status == http.StatusTooManyRequests || x.Status == http.StatusServiceUnavailable:
		return "the deployment takes no requests now: try again later"
	case x.Status >= 500:
		return "the deployment is out of order: look at its logs, then try again"
	case target.WebPage(x) != nil:
		return "check base_url, and whether a proxy or a login page is in between"
	case misplaced(x):
		return "check base_url and export.path: exports are not served there"
	case x.Status == http.StatusUnauthorized:
		return "check the credential: its value, its expiry, and that it belongs to this deployment"
	case x.Status == http.StatusForbidden:
		return "give a credential whose user may start exports"
	case x.Status == http.StatusBadRequest || x.Status == http.StatusUnprocessableEntity:
		return "give what the answer asks for, such as fixtures.product_id, or headers for every request under headers"
	}
	return "ask those who run the deployment what this answer means"
}

func adviceFor(trouble *client.Trouble) string {
	switch trouble.Kind {
	case client.Refused:
		if atProxy(trouble) {
			return "nothing listens there: check proxy in the deployment file, or HTTP_PROXY and HTTPS_PROXY"
		}
		return "nothing listens there: check the port of base_url and whether the deployment is up"
	case client.BadTLS:
		for _, sign := range []string{"does not look like a TLS handshake", "HTTP response to HTTPS client"} {
			if strings.Contains(trouble.Detail, sign) {
				return "what listens there does not speak TLS: write http in base_url, or the port of https"
			}
		}
		return "give the certificate authority as tls.ca_file; tls.insecure_skip_verify is a last resort"
	case client.TimedOut:
		key := "limits.timeout"
		if strings.Contains(trouble.Detail, "the plan's timeout") {
			key = "the plan's timeout"
		}
		return "check the route (VPN, firewall), or raise " + key
	case client.NoName:
		return "check base_url and the DNS of this machine"
	case client.Garbled:
		return "what listens there does not speak HTTP: check scheme and port of base_url"
	}
	return "try again; if it stays, look at the deployment"
}

// atProxy reports trouble on the way to the proxy, not behind it.
func atProxy(trouble *client.Trouble) bool { return strings.Contains(trouble.Detail, "proxyconnect") }
