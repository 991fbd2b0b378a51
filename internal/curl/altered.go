package curl

import (
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/token"
)

// credentialPart returns what a script sends as a credential: a variable for one of the deployment
// file, or for what an edit makes of one. Made-up text stays.
func credentialPart(cred *deployment.Credential) TextPart {
	switch {
	case cred.Edit == nil:
		return CredentialVariable(cred)
	case cred.Source == nil:
		return TextPart{Plain: cred.Value}
	}
	of := CredentialVariable(cred.Source)
	return TextPart{
		Variable: "GATEWAY_ALTERED_CREDENTIAL", What: cred.Name, Source: &of,
		Expression: editExpression(*cred.Edit, of.Variable),
	}
}

// editExpression returns a bash expression that applies an edit to a variable.
func editExpression(e token.Edit, variable string) string {
	own := "$" + variable
	if e.Header != "" {
		own = "${" + variable + "#*.}"
	}
	text := `"` + own + `"`
	if e.From > 0 {
		text = fmt.Sprintf(`"$(without_last %d %s)"`, e.From, text)
	}
	if e.Header != "" {
		text = Quote(e.Header) + text
	}
	switch {
	case e.SwapCase:
		text += fmt.Sprintf(`"$(swap_case "${%s:${#%[1]s}-%d:%d}")"`, variable, e.From, e.From-e.To)
	case e.Text != "":
		text += Quote(e.Text)
	}
	if e.To > 0 {
		text += fmt.Sprintf(`"${%s:${#%[1]s}-%d}"`, variable, e.To)
	}
	if e.Algorithm != "" {
		text = fmt.Sprintf(`"$(sign_token %s %s %s)"`, strings.TrimPrefix(e.Algorithm, "HS"),
			Quote(e.Key), text)
	}
	return text
}
