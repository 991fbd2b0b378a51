package browse

import (
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/load/page"
	load "github.com/gateassay/gateassay/load/record"
	conformance "github.com/gateassay/gateassay/reports/page"
	"github.com/gateassay/gateassay/reports/record"
)

var scriptHash = regexp.MustCompile(`'sha(?:256|384|512)-[A-Za-z0-9+/_-]+={0,2}'`)

// reportPolicy is the content security policy that a run's report.html is served with: an origin of its own, no request
// to anywhere, and only those scripts that this version writes into reports, named by the hashes that its reports allow
// themselves. A report of another version shows without its scripts.
func reportPolicy() string {
	var pages [][]byte
	if data, err := conformance.Write(record.Run{}, nil); err == nil {
		pages = append(pages, data)
	}
	if data, err := page.Write(load.Run{}, page.Data{}); err == nil {
		pages = append(pages, data)
	}
	return policyFor(pages)
}

func policyFor(pages [][]byte) string {
	var hashes []string
	for _, data := range pages {
		for _, directive := range strings.Split(declared(data), ";") {
			name, rest, _ := strings.Cut(strings.TrimSpace(directive), " ")
			if name != "script-src" {
				continue
			}
			for _, hash := range scriptHash.FindAllString(rest, -1) {
				if !slices.Contains(hashes, hash) {
					hashes = append(hashes, hash)
				}
			}
		}
	}
	policy := "sandbox; default-src 'none'; "
	if len(hashes) > 0 {
		policy = "sandbox allow-scripts; default-src 'none'; script-src " + strings.Join(hashes, " ") + "; "
	}
	return policy + "style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
}

var declaration = regexp.MustCompile(`(?is)<meta\s+http-equiv=["']?content-security-policy["']?\s+content="([^"]*)"`)

// declared is the policy that a page gives itself.
func declared(data []byte) string {
	found := declaration.FindSubmatch(data[:min(len(data), 64<<10)])
	if found == nil {
		return ""
	}
	return html.UnescapeString(string(found[1]))
}
