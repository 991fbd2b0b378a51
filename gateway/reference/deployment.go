package reference

import (
	"bytes"
	_ "embed"
	"strconv"
	"strings"
	"text/template"
	"time"
)

//go:embed deployment.yaml.tmpl
var deploymentTemplate string

// Entry is one line of a summary.
type Entry struct{ Name, Value string }

// Summary lists the gateway's test credentials and fixtures, for somebody who tries it by hand.
func (g *Gateway) Summary() (credentials, fixtures []Entry) {
	credentials = []Entry{{"platform_token", g.tokens.main}}
	if !g.choices.NoAPIKey {
		credentials = append(credentials, Entry{"api_key", g.tokens.apiKey},
			Entry{"revoked_api_key", g.tokens.revokedKey})
	}
	credentials = append(credentials, Entry{"expired_token", g.tokens.expired}, Entry{"not_yet_valid_token", g.tokens.early},
		Entry{"unprivileged", g.tokens.unprivileged}, Entry{"other_user", g.tokens.other})
	window := g.data.window[0].Format(dateTimeMillis) + " to " + g.data.window[1].Format(dateTimeMillis)
	return credentials, append(g.fixtures(), Entry{"window", window})
}

// fixtures are what rules refer to, under the keys of a deployment file.
func (g *Gateway) fixtures() []Entry {
	d := g.data
	return []Entry{
		{"shareholder_id", d.shareholder},
		{"foreign_shareholder_id", d.foreignShareholder},
		{"product_id", d.main.person.products[0]},
		{"target_user_id", d.target.id},
		{"target_user_shareholder_id", d.targetShareholder},
		{"default_wallet_id", d.main.person.wallets[0]},
		{"other_wallet_id", d.main.person.wallets[1]},
		{"client_id", d.client},
	}
}

// pointers lead to the state of a file in each shape.
var pointers = map[FileState]string{
	PlainState: "/state", NestedState: "/file_state/status/name",
}

// DeploymentYAML returns a deployment file for this gateway at an address such as "http://127.0.0.1:8080". It holds the
// gateway's own test credentials in clear.
func (g *Gateway) DeploymentYAML(baseURL string) []byte {
	c, states, window := g.choices, stateNames[g.choices.FileState], g.data.window
	tokens, zone := map[string]string{}, ""
	credentials, _ := g.Summary()
	for _, credential := range credentials {
		tokens[credential.Name] = credential.Value
	}
	var columns []Entry
	for i, title := range defaultTitles {
		columns = append(columns, Entry{title, c.CSV.Titles[i]})
	}
	if c.CSV.Dates == Zoneless {
		zone = saoPaulo.String()
	}
	facts := map[string]any{
		"Choices": c, "BaseURL": strings.TrimSuffix(baseURL, "/") + c.BasePath, "CreatePath": createPath,
		"DocumentsPath": documentsPath, "ExportPath": exportPath, "Request": "GET " + filePath, "Parts": documentParts,
		"Tokens": tokens, "Columns": columns, "Fixtures": g.fixtures(), "Pointer": pointers[c.FileState], "Ready": states[ready],
		"Failed": states[failed], "TimeZone": zone, "Start": window[0].Format(time.RFC3339), "End": window[1].Format(time.RFC3339),
	}
	// Go's quotes are YAML's for printable text.
	parsed := template.Must(template.New("").Funcs(template.FuncMap{"quote": strconv.Quote}).Parse(deploymentTemplate))
	var out bytes.Buffer
	if err := parsed.Execute(&out, facts); err != nil {
		panic(err) // the template and its facts belong together
	}
	return out.Bytes()
}
