package curl

import (
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// AlteredVariable is the environment variable that stands for what was sent in place of a
// credential: a token changed on purpose, a key that nobody has.
const AlteredVariable = "GATEWAY_ALTERED_CREDENTIAL"

// CredentialVariable is the environment variable that stands for a credential: GATEWAY_TOKEN and
// GATEWAY_API_KEY for the two documented methods, GATEWAY_<NAME>_TOKEN or GATEWAY_<NAME>_KEY for
// the others.
func CredentialVariable(cred *deployment.Credential) TextPart {
	what := "the value of " + cred.SettingKey()
	switch cred.Name {
	case "platform_token":
		return TextPart{Variable: "GATEWAY_TOKEN", What: what, Credential: true}
	case "api_key":
		return TextPart{Variable: "GATEWAY_API_KEY", What: what, Credential: true}
	}
	suffix := "_TOKEN"
	if cred.Method == deployment.AuthAPIKey {
		suffix = "_KEY"
	}
	return TextPart{
		Variable:   "GATEWAY_" + strings.TrimSuffix(toEnvName(cred.Name), suffix) + suffix,
		What:       what,
		Credential: true,
	}
}

// IsMainCredential reports the credential of one of the two documented methods: a 401 to it says
// that its value is wrong.
func (p TextPart) IsMainCredential() bool {
	return p.Variable == "GATEWAY_TOKEN" || p.Variable == "GATEWAY_API_KEY"
}

// toEnvName is a name as variables of the environment are written.
func toEnvName(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			return c
		}
		return '_'
	}, strings.ToUpper(name))
}

// ShellText is a text of a request in which variables stand for what must not be written.
type ShellText []TextPart

// TextPart is a part of a text: plain, or a variable of the environment.
type TextPart struct {
	Plain      string
	Variable   string
	What       string // has to be in the variable
	Credential bool   // of the deployment file, as it is
	// how bash makes the value of the variable of that of another one; empty: a person sets it
	Expression string
	Source     *TextPart
}

// quote quotes a text for a POSIX shell.
func (t ShellText) quote() string {
	if len(t) == 1 && t[0].Variable == "" {
		return Quote(t[0].Plain)
	}
	var quoted strings.Builder
	for _, p := range t {
		if quoted.WriteString(escapeDoubleQuoted(p.Plain)); p.Variable != "" {
			quoted.WriteString("$" + p.Variable)
		}
	}
	return `"` + quoted.String() + `"`
}

// Quote quotes s for a POSIX shell.
func Quote(s string) string {
	if s != "" &&
		strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// escapeDoubleQuoted escapes s for the inside of double quotes in a POSIX shell.
func escapeDoubleQuoted(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(s)
}
