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

// DeploymentYAML returns a deployment file for this gateway at a base URL such as
// "http://127.0.0.1:8080". It contains the gateway's test credentials in plain text.
func (g *Gateway) DeploymentYAML(baseURL string) []byte {
	c, t, d, states := g.choices, g.tokens, g.data, g.fileStateNames()
	facts := map[string]any{
		"Choices": c, "BaseURL": strings.TrimSuffix(baseURL, "/") + c.BasePath, "CreatePath": createPath,
		"DocumentsPath": documentsPath, "ExportPath": exportPath, "Request": "GET " + filePath,
		"Parts": documentParts,
		"Ready": states[fileReady], "Failed": states[fileFailed], "Titles": defaultColumnTitles,
		"Tokens": map[string]string{
			"Main": t.main, "Expired": t.expired, "Early": t.early, "Unprivileged": t.unprivileged,
			"Other": t.other,
			"Key":   t.apiKey, "RevokedKey": t.revokedKey,
		},
		"Fixtures": map[string]string{
			"shareholder_id": d.shareholder, "foreign_shareholder_id": d.foreignShareholder,
			"product_id": d.main.person.products[0], "target_user_id": d.target.id,
			"target_user_shareholder_id": d.targetShareholder, "default_wallet_id": d.main.person.wallets[0],
			"other_wallet_id": d.main.person.wallets[1], "client_id": d.client,
		},
		"Start": d.window[0].Format(time.RFC3339), "End": d.window[1].Format(time.RFC3339),
	}
	// Go's quoting of printable text is valid YAML.
	parsed := template.Must(
		template.New("").Funcs(template.FuncMap{"quote": strconv.Quote}).Parse(deploymentTemplate))
	var out bytes.Buffer
	if err := parsed.Execute(&out, facts); err != nil {
		panic(err) // the template and its facts are both part of the program
	}
	return out.Bytes()
}
