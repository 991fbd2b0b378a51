package doctor

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites/target"
)

var mentioned = regexp.MustCompile(`[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*`)

// diagnose finds the key of the deployment file that the refusal of a valid creation puts in doubt: by its status, else
// by the names that the answer mentions.
func (e *examiner) diagnose(x *client.Exchange) Finding {
	f := Finding{
		Topic: "creation", Name: "legal_representative", State: Broken, Text: "a valid creation got " +
			target.Quoted(x),
		Operations: []string{"create"}, Blocks: []string{"fixtures.shareholder_id"},
	}
	names := namesIn(x)
	main := "credentials." + e.dep.Credentials.Main().Name
	switch {
	case x.Err != nil:
		f.Name, f.Do = "creation", adviceFor(x.Err)
	case x.Status == http.StatusUnauthorized:
		f.Topic, f.Name, f.Do = "credentials", main,
			"check its value, its expiry, and that it belongs to this deployment"
	case x.Status == http.StatusForbidden:
		f.Topic, f.Name, f.Do = "credentials", main, "give a credential whose user may create legal representatives"
	case misplaced(x) && !aboutShareholder(names):
		f.Name, f.Text = "legal_representative.path", "POST "+x.Recorded.URL+" got "+target.Quoted(x)
		f.Do = "check the path: creations are not served there"
		if x.Status == http.StatusNotFound {
			f.Do += ", or fixtures.shareholder_id does not exist"
		}
	case x.Transient() || x.Status >= 500:
		f.Name, f.Do = "creation", advice(x)
	default:
		f.Name, f.Do = e.suspect(names)
	}
	if strings.HasPrefix(f.Name, "fixtures.") {
		f.Topic = "fixtures"
	}
	return f
}

// suspect finds the key by the names that a refusal mentions, and what to do.
func (e *examiner) suspect(names []string) (key, do string) {
	lr := e.dep.LegalRepresentative
	sent := []string{lr.Headers.TransactionID, lr.Headers.Nonce, lr.Headers.Language, lr.Headers.OnBehalfOf}
	for _, name := range names {
		if strings.EqualFold(name, target.HeaderProduct) {
			return "fixtures.product_id", "the deployment requires a product: give one that belongs to the user"
		}
		known := slices.ContainsFunc(sent, func(h string) bool { return strings.EqualFold(h, name) })
		if role := role(name); role != "" && !known {
			return "legal_representative.headers." + role, "the deployment expects the header " + name +
				": write its name here"
		}
	}
	if aboutShareholder(names) {
		return "fixtures.shareholder_id", "give a shareholder of the legal person of credentials." +
			e.dep.Credentials.Main().Name
	}
	for _, name := range names {
		for _, field := range deployment.LogicalFields() {
			if path := lr.Fields[field]; name != path && name != field {
				continue
			}
			if _, typed := lr.FieldTypes[field]; typed && e.dep.Has("legal_representative.field_types."+field) {
				return "legal_representative.field_types." + field, "the deployment refuses this field: check its type"
			}
			return "legal_representative.fields." + field,
				"the deployment refuses this field: check its name in the request, and its type"
		}
	}
	return "legal_representative",
		"compare its headers, fields and field_types, and fixtures.shareholder_id, with what the answer says"
}

// role is what a header is most likely for by its name; empty for anything else.
func role(name string) string {
	lower := strings.ToLower(name)
	switch {
	case strings.Contains(name, "."):
		return ""
	case strings.Contains(lower, "nonce"):
		return "nonce"
	case !strings.Contains(name, "-"):
		return ""
	case strings.Contains(lower, "transaction") || strings.Contains(lower, "idempotency"):
		return "transaction_id"
	}
	return ""
}

func aboutShareholder(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return strings.Contains(strings.ToLower(name), "shareholder")
	})
}

// namesIn lists what may be names of headers and fields in an answer.
func namesIn(x *client.Exchange) []string {
	body := x.Recorded.ResponseBody
	return mentioned.FindAllString(string(body[:min(len(body), 1<<14)]), 500)
}
