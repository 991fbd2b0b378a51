package doctor

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/creationfields"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/target"
)

// identifierPattern matches possible names of headers and fields in an answer.
var identifierPattern = regexp.MustCompile(`[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*`)

// findSuspectKey returns the key of the deployment file that is probably wrong, by the names in
// the refusal of a valid creation, and what to do. Both are empty if the answer has no such name.
func findSuspectKey(dep *deployment.File, refused *client.Exchange) (key, do string) {
	const section = "legal_representative."
	body, lr := refused.Recorded.ResponseBody, dep.LegalRepresentative
	names := identifierPattern.FindAllString(string(body[:min(len(body), 1<<14)]), 500)
	for _, name := range names {
		lower := strings.ToLower(name)
		has := func(part string) bool { return strings.Contains(lower, part) }
		do = "the deployment expects the header " + name + ": write its name here"
		switch sent := lr.Headers; {
		case strings.EqualFold(name, target.HeaderProduct):
			return "fixtures.product_id", "the deployment requires a product: give one that belongs to " +
				"the user"
		case has(".") ||
			slices.ContainsFunc([]string{sent.TransactionID, sent.Nonce, sent.Language, sent.OnBehalfOf},
				func(known string) bool { return strings.EqualFold(known, name) }):
		case has("nonce"):
			return section + "headers.nonce", do
		case has("-") && (has("transaction") || has("idempotency")):
			return section + "headers.transaction_id", do
		}
	}
	if answers.MentionsShareholder(refused) {
		return "fixtures.shareholder_id", "give a shareholder of the legal person of " +
			dep.Credentials.Main().SettingKey()
	}
	for _, name := range names {
		for _, field := range creationfields.Names() {
			key = section + "field_types." + field
			if !dep.Has(key) {
				key = section + "fields." + field
			}
			if name == field || name == lr.Fields[field] {
				return key, "the deployment refuses this field: check its name in the request, and its type"
			}
		}
	}
	return "", ""
}
