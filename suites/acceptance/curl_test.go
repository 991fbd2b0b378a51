package acceptance

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/record"
)

// Whatever a credential was changed into, and wherever it was sent, the command that repeats it begins with the genuine
// one: nobody has anything else to put into a variable.
func TestCommandsMakeEveryChangedCredential(t *testing.T) {
	gateway := start(t, reference.Options{Seed: 5, Faults: []string{
		"auth.signature_changed_accepted", "auth.alg_none_accepted", "auth.payload_changed_accepted",
		"auth.other_key_accepted", "auth.garbage_accepted", "auth.api_key_in_query", "auth.api_key_ends_accepted",
	}})
	found := map[string]string{} // commands of failed checks, by rule
	for _, rule := range run(t, suites.Options{Deployment: gateway.Deployment}).Run.Rules {
		for _, c := range rule.Checks {
			if c.Verdict == record.Fail {
				found[rule.ID] += c.Curl + "\n"
			}
			if strings.Contains(c.Curl, "GATEWAY_ALTERED") || strings.Contains(c.Curl, "api_key=redacted") {
				t.Errorf("%s: nobody can repeat\n%s", rule.ID, c.Curl)
			}
		}
	}
	for rule, part := range map[string]string{
		"create.documents.authenticated": "$h.$p.$s", "export.file.authenticated": "$h.$p.",
		"auth.bearer.alg_none":  "$h.$p.",
		"auth.api_key.in_query": `api_key='"$GATEWAY_API_KEY"`, "auth.api_key.altered": "$GATEWAY_API_KEY",
	} {
		if !strings.Contains(found[rule], part) {
			t.Errorf("%s: %s is missing in\n%s", rule, part, found[rule])
		}
	}
}
