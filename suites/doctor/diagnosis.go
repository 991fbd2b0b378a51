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
	adviceBusy = "the deployment takes no requests now: try again later"

	causeFiltered      = "A proxy or firewall in front of BASE rejects every request"
	causeNothingServed = "HERE returns 404 or 405"
	causeRedirected    = "Every request to BASE is redirected"
	causeForbidden     = "The credential may neither start exports nor create legal representatives"
	causeFailing       = "The deployment at BASE is failing"
	causeNoConnection  = "No connection to BASE"
	causeNoTLS         = "TLS to BASE failed"
)

// diagnose classifies an answer that does not accept a valid request.
func diagnose(x *client.Exchange) diagnosis {
	switch {
	case isUnauthorized(x):
		return diagnosis{
			"The credential was refused",
			"check its value, its expiry, and that it belongs to this deployment",
		}
	case x.Err != nil:
		return diagnoseTrouble(x.Err)
	}
	return diagnoseStatus(x)
}

func diagnoseTrouble(why *client.Trouble) diagnosis {
	saysAny := func(texts ...string) bool {
		return slices.ContainsFunc(texts,
			func(text string) bool { return strings.Contains(why.Detail, text) })
	}
	isTLS := why.Kind == client.TroubleTLS
	switch {
	case why.Proxy != nil:
		return diagnosis{"The proxy cannot reach BASE", why.Proxy.NextStep()}
	case why.Kind == client.TroubleRefused && saysAny("proxyconnect"):
		return diagnosis{"No connection to the proxy", "check proxy, or HTTP_PROXY and HTTPS_PROXY"}
	case why.Kind == client.TroubleRefused:
		return diagnosis{
			causeNoConnection,
			"nothing listens there: check the port of base_url and whether the deployment is up",
		}
	case why.Kind == client.TroubleDNS:
		return diagnosis{causeNoConnection, "check base_url, and the DNS of this machine (VPN)"}
	case why.Kind == client.TroubleNotHTTP:
		return diagnosis{causeNoConnection, "what listens there does not speak HTTP: check base_url"}
	case isTLS && saysAny("TLS handshake", "HTTP response to HTTPS client"):
		return diagnosis{
			causeNoTLS,
			"what listens there does not speak TLS: write http in base_url, or the port of https",
		}
	case isTLS && saysAny("certificate is valid for", "not valid for any names", "IP SANs"):
		return diagnosis{causeNoTLS, "write in base_url a name that the certificate is for, or give " +
			"the deployment one for this name"}
	case isTLS && saysAny("expired or is not yet valid"):
		return diagnosis{causeNoTLS, "renew the certificate, or set the clock of this machine"}
	case isTLS:
		return diagnosis{causeNoTLS, "give the certificate authority as tls.ca_file"}
	case why.Kind == client.TroubleTimeout:
		return diagnosis{advice: "check the route (VPN, firewall), or raise that timeout"}
	}
	return diagnosis{causeFailing, "try again; if it stays, look at the deployment"}
}

func diagnoseStatus(x *client.Exchange) diagnosis {
	switch {
	case x.Status == http.StatusTooManyRequests:
		return diagnosis{advice: adviceBusy}
	case x.Status == http.StatusServiceUnavailable:
		return diagnosis{causeFailing, adviceBusy}
	case x.Status >= 500:
		return diagnosis{causeFailing, "look at the logs of the deployment, then try again"}
	case answers.WebPageReason(x) != nil:
		return diagnosis{
			"A web page answers at BASE, not an API",
			"check base_url; a proxy or a login page may be in between",
		}
	case x.Status/100 == 3:
		return diagnosis{
			causeRedirected,
			"write in base_url what serves the API; a proxy or a login page may be in between",
		}
	case isNotRouted(x):
		return diagnosis{
			causeNothingServed, "check base_url, export.path and legal_representative.path",
		}
	}
	switch x.Status {
	case http.StatusProxyAuthRequired:
		return diagnosis{
			"A proxy in front of BASE asks for credentials",
			"write them into proxy, or bypass it (NO_PROXY)",
		}
	case 406, 411, 412, 414, 415, 417, 421, 426, 428, 431:
		return diagnosis{causeFiltered, adviceFiltered}
	case http.StatusForbidden:
		return diagnosis{
			causeForbidden, "give a credential whose user may do both; a firewall may be in between",
		}
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return diagnosis{advice: "give what the answer asks for, such as fixtures.product_id, or " +
			"headers for every request under headers"}
	}
	return diagnosis{advice: "ask the operators of the deployment what this answer means"}
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

func isNotRouted(x *client.Exchange) bool {
	return x.Status == http.StatusNotFound || x.Status == http.StatusMethodNotAllowed
}
