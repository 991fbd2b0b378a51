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

// deploymentFacts are what the template of a deployment file asks for.
type deploymentFacts struct {
	Choices

	BaseURL, CreatePath, DocumentsPath, ExportPath, Request string
	Tokens                                                  map[string]string
	Parts                                                   []string
	Columns, Fixtures                                       []Entry
	Pointer, Ready, Failed, TimeZone, Start, End            string
}

// DeploymentYAML returns a deployment file for this gateway at an address such as "http://127.0.0.1:8080". It holds the
// gateway's own test credentials in clear.
func (g *Gateway) DeploymentYAML(baseURL string) []byte {
	states := stateNames[g.choices.FileState]
	facts := deploymentFacts{
		Choices: g.choices, BaseURL: strings.TrimSuffix(baseURL, "/") + g.choices.BasePath, CreatePath: createPath,
		DocumentsPath: documentsPath, ExportPath: exportPath, Request: "GET " + filePath, Parts: documentParts,
		Tokens: map[string]string{}, Fixtures: g.fixtures(), Pointer: pointers[g.choices.FileState],
		Ready: states[ready], Failed: states[failed],
		Start: g.data.window[0].Format(time.RFC3339), End: g.data.window[1].Format(time.RFC3339),
	}
	credentials, _ := g.Summary()
	for _, c := range credentials {
		facts.Tokens[c.Name] = c.Value
	}
	for i, title := range defaultTitles {
		facts.Columns = append(facts.Columns, Entry{title, g.choices.CSV.Titles[i]})
	}
	if g.choices.CSV.Dates == Zoneless {
		facts.TimeZone = saoPaulo.String()
	}
	// Go's quotes are YAML's for printable text.
	parsed := template.Must(template.New("").Funcs(template.FuncMap{"quote": strconv.Quote}).Parse(deploymentTemplate))
	var out bytes.Buffer
	if err := parsed.Execute(&out, facts); err != nil {
		panic(err) // the template and its facts belong together
	}
	return out.Bytes()
}
