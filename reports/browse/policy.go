package browse

import (
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/loadpage"
	"github.com/gateassay/gateassay/reports/page"
	"github.com/gateassay/gateassay/suites/record"
)

// policy is the content security policy of a page that stands on its own: an origin of its own, no request to anywhere,
// and only the scripts with these hashes.
func policy(scripts []string) string {
	opening := "sandbox; default-src 'none'; "
	if len(scripts) > 0 {
		opening = "sandbox allow-scripts; default-src 'none'; script-src " + strings.Join(scripts, " ") + "; "
	}
	return opening + "style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; " +
		"frame-ancestors 'none'"
}

// ownScripts are the hashes of the scripts that this version writes into reports.
func ownScripts() (list []string) {
	conformance, _ := page.Write(record.Run{}, nil)
	load, _ := loadpage.Write(results.Run{}, loadpage.Data{})
	search, _ := loadpage.WriteCapacity(capacity.File{}, nil)
	for _, data := range [][]byte{conformance, load, search} {
		list = append(list, scriptsOf(data)...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// ours reports whether every script that a page allows itself is one of this version's.
func (h *Handler) ours(data []byte) bool {
	return declaration.Match(beginning(data)) &&
		!slices.ContainsFunc(scriptsOf(data), func(hash string) bool { return !slices.Contains(h.scripts, hash) })
}

var (
	declaration = regexp.MustCompile(`(?is)<meta\s+http-equiv=["']?content-security-policy["']?\s+content="([^"]*)"`)
	scriptHash  = regexp.MustCompile(`'sha(?:256|384|512)-[A-Za-z0-9+/_-]+={0,2}'`)
)

func beginning(data []byte) []byte { return data[:min(len(data), 64<<10)] }

// scriptsOf are the hashes of the scripts that a page allows itself.
func scriptsOf(data []byte) (hashes []string) {
	found := declaration.FindSubmatch(beginning(data))
	if found == nil {
		return nil
	}
	for directive := range strings.SplitSeq(html.UnescapeString(string(found[1])), ";") {
		if rest, is := strings.CutPrefix(strings.TrimSpace(directive), "script-src "); is {
			hashes = append(hashes, scriptHash.FindAllString(rest, -1)...)
		}
	}
	return hashes
}
