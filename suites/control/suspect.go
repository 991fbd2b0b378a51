package control

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites/target"
)

var mentioned = regexp.MustCompile(`[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*`)

// Suspect finds the key of the deployment file that the refusal of a valid creation puts in doubt by the names that it
// mentions, and what to do; both are empty where it mentions none.
func Suspect(dep *deployment.File, refused *client.Exchange) (key, do string) {
	names, lr := namesIn(refused), dep.LegalRepresentative
	sent := []string{lr.Headers.TransactionID, lr.Headers.Nonce, lr.Headers.Language, lr.Headers.OnBehalfOf}
	for _, name := range names {
		if strings.EqualFold(name, target.HeaderProduct) {
			return "fixtures.product_id", "the deployment requires a product: give one that belongs to the user"
		}
		known := slices.ContainsFunc(sent, func(h string) bool { return strings.EqualFold(h, name) })
		if role := role(name); role != "" && !known {
			return "legal_representative.headers." + role, "the deployment expects the header " + name + ": write its name here"
		}
	}
	if AboutShareholder(refused) {
		return "fixtures.shareholder_id", "give a shareholder of the legal person of " + dep.Credentials.Main().Key()
	}
	for _, name := range names {
		for _, field := range deployment.LogicalFields() {
			switch {
			case name != lr.Fields[field] && name != field:
			case dep.Has("legal_representative.field_types." + field):
				return "legal_representative.field_types." + field, "the deployment refuses this field: check its type"
			default:
				return "legal_representative.fields." + field,
					"the deployment refuses this field: check its name in the request, and its type"
			}
		}
	}
	return "", ""
}

// role is what a header is most likely for by its name; empty for anything else.
func role(name string) string {
	switch lower := strings.ToLower(name); {
	case strings.Contains(name, "."):
	case strings.Contains(lower, "nonce"):
		return "nonce"
	case strings.Contains(name, "-") && (strings.Contains(lower, "transaction") || strings.Contains(lower, "idempotency")):
		return "transaction_id"
	}
	return ""
}

// AboutShareholder reports whether an answer mentions the shareholder.
func AboutShareholder(x *client.Exchange) bool {
	return slices.ContainsFunc(namesIn(x), func(name string) bool {
		lower := strings.ToLower(name)
		return strings.Contains(lower, "shareholder") || strings.Contains(lower, "acionista")
	})
}

// namesIn lists what may be names of headers and fields in an answer.
func namesIn(x *client.Exchange) []string {
	body := x.Recorded.ResponseBody
	return mentioned.FindAllString(string(body[:min(len(body), 1<<14)]), 500)
}
