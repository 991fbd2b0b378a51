package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// stackReadings returns, by name, readings that nobody chooses: what languages, frameworks,
// databases and firewalls do by default.
func stackReadings() changes {
	every := strings.Join(slices.Concat(requestFields, exportFieldNames), " ")
	// framed changes values before validation and replay protection.
	framed := func(change any) effect {
		return combine(readFieldsAs(every, change),
			during(opExport, func(q *request, s *replayCandidate) {
				body, _ := json.Marshal(q.values)
				s.body = string(body)
			}))
	}
	anyAmount := ignoreDefects(opCreate, "income.range", "patrimony.range")
	decimals, elsewhere := roundToPlaces(2), []string{
		"shareholder_id.unknown", "shareholder_id.foreign", "header.*.unknown",
	}
	return changes{
		"doubles":     combine(framed(roundAsJavaScript), anyAmount),
		"php-numbers": combine(framed(roundAsPHP), anyAmount),
		"decimals": combine(readFieldsAs("income patrimony participation_percentage", decimals),
			changeAtPath("income", decimals), changeAtPath("patrimony", decimals),
			rejectFieldsWhen(opCreate,
				func(v any) bool { return len(fmt.Sprint(v)) > len("999999999999999.00") }, moneyFields...)),
		"trimmed":  framed(func(s string) string { return strings.Trim(s, " \t\n\r\v\x00") }),
		"composed": framed(norm.NFC.String),
		"lower-domain": changeAtPath("email", func(s string) string {
			name, domain, _ := strings.Cut(s, "@")
			return name + "@" + strings.ToLower(domain)
		}),
		"first-query-values": replayComparesQueryBy(func(all []string) string { return all[0] }),
		"last-query-values":  replayComparesQueryBy(func(all []string) string { return all[len(all)-1] }),
		"whole-seconds":      formatCreatedAt(time.RFC3339),
		"any-ties":           shuffleTies,
		"elsewhere-404": combine(
			filterDefects(opCreate, elsewhere, refuseWithStatus(http.StatusNotFound)),
			filterDefects(opExport, elsewhere, refuseWithStatus(http.StatusNotFound))),
		"firewall": combine(
			func(q *request, s *sender) {
				if q.looksLikeAttack() {
					s.user = nil
					q.w.Header().Set("X-Firewall", "blocked")
				}
			}, changeAnswer("unauthenticated", func(a *response) {
				if a.header.Get("X-Firewall") != "" {
					respondWithFirewallPage(a)
				}
			})),
		"two-rows": func(rows *csvTable) {
			// one for each leg of a quote
			for _, row := range (*rows)[1:] {
				*rows = append(*rows, append(row[:5:5], "-"+row[5], row[6], row[7]))
			}
		},
	}
}

// roundAsJavaScript returns a number as JSON.parse and JSON.stringify leave it, roundAsPHP as
// json_decode and json_encode do with 17 digits, and roundToPlaces as a DECIMAL column does.
func roundAsJavaScript(value any) any {
	n, _ := value.(json.Number)
	if f, err := n.Float64(); err == nil {
		return json.Number(strconv.FormatFloat(f, 'f', -1, 64))
	}
	return value
}

func roundAsPHP(value any) any {
	n, _ := value.(json.Number)
	_, notWhole := n.Int64()
	f, err := n.Float64()
	if notWhole == nil || err != nil {
		return value
	}
	digits := strconv.FormatFloat(f, 'g', 17, 64)
	if !strings.ContainsAny(digits, ".e") {
		digits += ".0"
	}
	return json.Number(digits)
}

func roundToPlaces(places int) func(value any) any {
	return func(value any) any {
		n, _ := value.(json.Number)
		if exact, ok := parseExactNumber(n); ok {
			return json.Number(exact.FloatString(places))
		}
		return value
	}
}

// shuffleTies swaps some neighbours of the same date at random.
func shuffleTies(s *filteredQuotes) {
	for i := 1; i < len(s.quotes); i++ {
		if a, b := s.quotes[i-1], s.quotes[i]; a.dateFor(s.sort).Equal(b.dateFor(s.sort)) &&
			rand.IntN(2) == 0 {
			s.quotes[i-1], s.quotes[i] = b, a
		}
	}
}

// attackPattern is what a firewall blocks: control characters, SQL, markup, path traversal, and
// characters that pass for ASCII.
var attackPattern = regexp.MustCompile(`(?i)\\u00[01][0-9a-f]|\\[bfnrt]|' or '|<\w+>|\.\./|` +
	"[\u0660-\u0669\u0966-\u096f\uff01-\uff5e]")

// looksLikeAttack reports whether a firewall would block a request. Uploads always pass.
func (q *request) looksLikeAttack() bool {
	if q.operation == opUpload {
		return false
	}
	body, _ := io.ReadAll(io.LimitReader(q.r.Body, maxJSONBytes))
	q.r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), q.r.Body))
	return attackPattern.Match(body) || attackPattern.MatchString(q.r.URL.String())
}

// respondWithFirewallPage answers with a firewall's HTML page.
func respondWithFirewallPage(a *response) {
	a.header.Set("Content-Type", "text/html")
	a.status, a.body = http.StatusForbidden, []byte("<html><body>Request blocked.</body></html>")
}
