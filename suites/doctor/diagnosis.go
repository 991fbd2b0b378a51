package doctor

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/internal/answers"
)

// diagnosis is the meaning of an answer to a valid request: the advice and, if the same answer to
// all requests means that nothing can be tested, the cause. BASE stands for the base URL of the
// deployment, HERE for the address of the request.
type diagnosis struct{ cause, advice string }

const (
	adviceFiltered = "give what it asks for under headers, such as an accept or a user-agent; a " +
		"firewall may be in between"

	causeFiltered = "Something before BASE refuses every request alike, for what all of them " +
		"have in common"
	causeNothingServed = "Nothing is served at HERE"
	causeRedirected    = "Every request to BASE is redirected"
	causeForbidden     = "The credential may neither start exports nor create legal representatives"
	causeOutOfOrder    = "The deployment at BASE is out of order"
)

// diagnose classifies an answer that does not accept a valid request.
func diagnose(x *client.Exchange) diagnosis {
	got := func(statuses ...int) bool { return slices.Contains(statuses, x.Status) }
	lost := func(kind client.TroubleKind, says string) bool {
		return x.Err != nil && x.Err.Kind == kind && strings.Contains(x.Err.Detail, says)
	}
	noTLS := lost(client.TroubleTLS, "TLS handshake") ||
		lost(client.TroubleTLS, "HTTP response to HTTPS client")
	if x.Err != nil && x.Err.Proxy != nil {
		return diagnosis{"The proxy opens no way to BASE", x.Err.Proxy.NextStep()}
	}
	for _, o := range []struct {
		is            bool
		cause, advice string
	}{
		{isUnauthorized(x), "The credential was refused", "check its value, its expiry, and that it " +
			"belongs to this deployment"},
		{lost(client.TroubleRefused, "proxyconnect"), "No connection to the proxy", "check proxy, or " +
			"HTTP_PROXY and HTTPS_PROXY"},
		{lost(client.TroubleRefused, ""), "No connection to BASE", "nothing listens there: check the " +
			"port of base_url and whether the deployment is up"},
		{lost(client.TroubleDNS, ""), "No connection to BASE", "check base_url, and the DNS of this " +
			"machine (VPN)"},
		{lost(client.TroubleNotHTTP, ""), "No connection to BASE", "what listens there does not speak " +
			"HTTP: check base_url"},
		{noTLS, "No TLS connection to BASE", "what listens there does not speak TLS: write http in " +
			"base_url, or the port of https"},
		{
			lost(client.TroubleTLS, "certificate is valid for") ||
				lost(client.TroubleTLS, "not valid for any names") ||
				lost(client.TroubleTLS, "IP SANs"), "No TLS connection to BASE",
			"write in base_url a name that the certificate is for, or give the deployment one for this name",
		},
		{lost(client.TroubleTLS, "expired or is not yet valid"), "No TLS connection to " +
			"BASE", "renew the certificate, or set the clock of this machine"},
		{lost(client.TroubleTLS, ""), "No TLS connection to BASE", "give the certificate authority as " +
			"tls.ca_file"},
		{lost(client.TroubleTimeout, ""), "", "check the route (VPN, firewall), or raise that timeout"},
		{x.Err != nil, causeOutOfOrder, "try again; if it stays, look at the deployment"},
		{got(429), "", "the deployment takes no requests now: try again later"},
		{got(503), causeOutOfOrder, "the deployment takes no requests now: try again later"},
		{x.Status >= 500, causeOutOfOrder, "the deployment is out of order: look at its logs, then " +
			"try again"},
		{answers.WebPageReason(x) != nil, "A web page answers at BASE, not an API", "check base_url; a " +
			"proxy or a login page may be in between"},
		{
			x.Status/100 == 3, causeRedirected,
			"write in base_url what serves the API; a proxy or a login page may be in between",
		},
		{isNotRouted(x), causeNothingServed, "check base_url, export.path and legal_representative.path"},
		{
			got(407), "A proxy before BASE asks for credentials",
			"write them into proxy, or go without it (NO_PROXY)",
		},
		{got(406, 411, 412, 414, 415, 417, 421, 426, 428, 431), causeFiltered, adviceFiltered},
		{got(403), causeForbidden, "give a credential whose user may do both; a firewall may be in " +
			"between"},
		{
			got(400, 422), "",
			"give what the answer asks for, such as fixtures.product_id, or headers for " +
				"every request under headers",
		},
	} {
		if o.is {
			return diagnosis{o.cause, o.advice}
		}
	}
	return diagnosis{advice: "ask those who run the deployment what this answer means"}
}

// isUnauthorized reports whether the answer is a 401 or the token had expired.
func isUnauthorized(x *client.Exchange) bool {
	return x.Status == http.StatusUnauthorized ||
		x.Err != nil && x.Err.Kind == client.TroubleTokenEnded
}

// describeTrouble returns why a request got no answer. It omits the address that refused a
// connection, which the caller shows.
func describeTrouble(why *client.Trouble) string {
	if why.Kind == client.TroubleRefused && !strings.Contains(why.Detail, "proxyconnect") {
		return string(why.Kind)
	}
	return why.Error()
}

// asAnswered returns the exchange with its recorded status, even if an expired token caused the
// answer.
func asAnswered(x *client.Exchange) *client.Exchange {
	if x.Err == nil || !isUnauthorized(x) {
		return x
	}
	plain := *x
	plain.Status, plain.Err = x.Recorded.Status, nil
	return &plain
}

// FailedToConnect reports whether the connection for a request could not be made.
func FailedToConnect(x *client.Exchange) bool {
	return x.Err != nil && slices.Contains([]client.TroubleKind{
		client.TroubleRefused, client.TroubleDNS, client.TroubleTLS, client.TroubleNotHTTP,
		client.TroubleProxy,
	}, x.Err.Kind)
}

// isNotRouted reports whether the answer is a 404 or a 405.
func isNotRouted(x *client.Exchange) bool {
	return x.Status == http.StatusNotFound || x.Status == http.StatusMethodNotAllowed
}
