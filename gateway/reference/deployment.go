package reference

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// DeploymentYAML writes a deployment file for this gateway at an address such as "http://127.0.0.1:8080". It holds the
// gateway's own test credentials in clear.
func (g *Gateway) DeploymentYAML(baseURL string) []byte {
	var y yamlText
	y.line(0, "name", "reference")
	y.line(0, "base_url", strings.TrimSuffix(baseURL, "/")+g.choices.BasePath)
	y.open(0, "credentials")
	y.line(1, "platform_token", g.tokens.main)
	if g.choices.MinimalFile {
		return y.bytes()
	}
	if !g.choices.NoAPIKey {
		y.line(1, "api_key", g.tokens.apiKey)
		y.line(1, "revoked_api_key", g.tokens.revokedKey)
	}
	y.line(1, "expired_token", g.tokens.expired)
	for _, c := range []struct{ name, token string }{
		{"unprivileged", g.tokens.unprivileged},
		{"other_user", g.tokens.other},
	} {
		y.open(1, c.name)
		y.line(2, "bearer", c.token)
	}
	g.writeCreate(&y)
	g.writeExport(&y)
	d := g.data
	y.open(0, "fixtures")
	y.line(1, "shareholder_id", d.shareholder)
	y.line(1, "foreign_shareholder_id", d.foreignShareholder)
	y.line(1, "product_id", d.main.person.products[0])
	y.line(1, "target_user_id", d.target.id)
	y.line(1, "target_user_shareholder_id", d.targetShareholder)
	y.line(1, "default_wallet_id", d.main.person.wallets[0])
	y.line(1, "other_wallet_id", d.main.person.wallets[1])
	y.line(1, "client_id", d.client)
	y.open(1, "window")
	y.plain(2, "start", d.window[0].Format(time.RFC3339))
	y.plain(2, "end", d.window[1].Format(time.RFC3339))
	y.open(0, "limits")
	y.plain(1, "requests_per_second", "0")
	y.plain(1, "in_flight", "16")
	y.plain(1, "timeout", "15s")
	y.open(0, "load")
	y.plain(1, "allow", "true")
	y.plain(1, "max_rate", "100000")
	return y.bytes()
}

func (g *Gateway) writeCreate(y *yamlText) {
	names := g.choices.CreateHeaders
	y.open(0, "legal_representative")
	y.line(1, "path", createPath)
	if !g.choices.Unnamed {
		y.open(1, "headers")
		y.line(2, "transaction_id", names.TransactionID)
		y.line(2, "nonce", names.Nonce)
		y.line(2, "language", names.Language)
		y.line(2, "on_behalf_of", names.OnBehalfOf)
	}
	if len(g.choices.Fields) > 0 && !g.choices.Unnamed {
		y.open(1, "fields")
		for _, field := range slices.Sorted(maps.Keys(g.choices.Fields)) {
			y.line(2, field, g.choices.Fields[field])
		}
	}
	y.open(1, "field_types")
	kind := "number"
	if g.choices.NumberAsText {
		kind = "string"
	}
	y.line(2, "address.number", kind)
	y.open(1, "documents")
	y.line(2, "path", documentsPath)
	y.open(2, "parts")
	for _, part := range documentParts {
		y.line(3, part, part)
	}
	y.plain(2, "one_request_per_document", strconv.FormatBool(g.choices.PerDocument))
	if len(g.choices.DocumentForm) > 0 {
		y.open(2, "form")
		for _, field := range slices.Sorted(maps.Keys(g.choices.DocumentForm)) {
			y.line(3, field, g.choices.DocumentForm[field])
		}
	}
}

func (g *Gateway) writeExport(y *yamlText) {
	y.open(0, "export")
	y.line(1, "path", exportPath)
	y.open(1, "file")
	y.line(2, "request", "GET "+filePath)
	y.open(2, "headers")
	y.line(3, "nonce", "{uuid}")
	y.open(2, "state")
	pointer := map[FileState]string{
		PlainState: "/state", NestedState: "/file_state/status/name",
		CodedState: "/file_state/code",
	}
	names := stateNames[g.choices.FileState]
	y.line(3, "pointer", pointer[g.choices.FileState])
	y.plain(3, "ready", "["+strconv.Quote(names[ready])+"]")
	y.plain(3, "failed", "["+strconv.Quote(names[failed])+"]")
	if g.choices.Retrieval != Direct {
		y.line(2, "url", "/url")
	}
	y.plain(2, "timeout", "30s")
	y.open(1, "csv")
	y.open(2, "columns")
	for i, title := range defaultTitles {
		y.line(3, title, g.choices.CSV.Titles[i])
	}
	if g.choices.CSV.Dates == Zoneless {
		y.line(2, "time_zone", saoPaulo.String())
	}
}

// yamlText writes nested mappings of text.
type yamlText struct{ out strings.Builder }

func (y *yamlText) plain(depth int, key, value string) {
	fmt.Fprintf(&y.out, "%s%s: %s\n", strings.Repeat("  ", depth), key, value)
}

func (y *yamlText) open(depth int, key string) {
	fmt.Fprintf(&y.out, "%s%s:\n", strings.Repeat("  ", depth), key)
}

// line writes text in double quotes, in which YAML and Go agree for printable text.
func (y *yamlText) line(depth int, key, value string) { y.plain(depth, key, strconv.Quote(value)) }

func (y *yamlText) bytes() []byte { return []byte(y.out.String()) }
