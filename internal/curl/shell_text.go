package curl

import (
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// CredentialVariable returns the environment variable for a credential: GATEWAY_TOKEN and
// GATEWAY_API_KEY for the main ones, otherwise GATEWAY_<NAME>_TOKEN or GATEWAY_<NAME>_KEY.
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
		Variable: "GATEWAY_" + strings.TrimSuffix(toEnvName(cred.Name), suffix) + suffix,
		What:     what, Credential: true,
	}
}

// IsMainCredential reports whether the variable is that of platform_token or api_key. A 401 to
// one of these means that its value is wrong.
func (p TextPart) IsMainCredential() bool {
	return p.Variable == "GATEWAY_TOKEN" || p.Variable == "GATEWAY_API_KEY"
}

// toEnvName converts a name to that of an environment variable.
func toEnvName(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			return c
		}
		return '_'
	}, strings.ToUpper(name))
}

// ShellText is a text of a request with variables for what must not be written.
type ShellText []TextPart

// TextPart is plain text or an environment variable.
type TextPart struct {
	Plain      string
	Variable   string
	What       string // description of the variable's value
	Credential bool   // an unaltered credential of the deployment file
	// bash expression that derives the value from Source; empty: a person sets it
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
