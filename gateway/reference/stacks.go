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

// stacks are readings of which nobody has to think: languages, frameworks, databases and firewalls do so by themselves.
func stacks() map[string]effect {
	every := strings.Join(slices.Concat(requestFields, exportFields), " ")
	// framed changes values before anybody looks at them, replay protection included.
	framed := func(change any) effect {
		return combined(reads(every, change), during(exporting, func(q *call, s *sighting) {
			body, _ := json.Marshal(q.values)
			s.body = string(body)
		}))
	}
	anyAmount := ignoring(creating, "income.range", "patrimony.range")
	decimals, elsewhere := decimal(2), []string{"shareholder_id.unknown", "shareholder_id.foreign", "header.*.unknown"}
	return map[string]effect{
		"doubles":     combined(framed(asJavaScript), anyAmount),
		"php-numbers": combined(framed(asPHP), anyAmount),
		"decimals": combined(reads("income patrimony participation_percentage", decimals), at("income", decimals), at("patrimony", decimals),
			refusing(creating, func(v any) bool { return len(fmt.Sprint(v)) > len("999999999999999.00") }, moneyFields...)),
		"trimmed":  framed(func(s string) string { return strings.Trim(s, " \t\n\r\v\x00") }),
		"composed": framed(norm.NFC.String),
		"lower-domain": combined(at("email", func(s string) string {
			name, domain, _ := strings.Cut(s, "@")
			return name + "@" + strings.ToLower(domain)
		})),
		"whole-seconds": dated(time.RFC3339),
		"any-ties":      combined(anyTies),
		"elsewhere-404": combined(onDefects(creating, elsewhere, withStatus(http.StatusNotFound)),
			onDefects(exporting, elsewhere, withStatus(http.StatusNotFound))),
		"firewall": combined(func(q *call, s *sender) {
			if q.looksHostile() {
				s.user = nil
				q.w.Header().Set("X-Firewall", "blocked")
			}
		}, answered("unauthenticated", func(a *reply) {
			if a.header.Get("X-Firewall") != "" {
				stopped(a)
			}
		})),
		"two-rows": combined(func(rows *table) { // the legs of a quote
			for _, row := range (*rows)[1:] {
				*rows = append(*rows, append(row[:5:5], "-"+row[5], row[6], row[7]))
			}
		}),
	}
}

// asJavaScript is a number as JSON.parse and JSON.stringify leave it, asPHP as json_decode and json_encode do with 17 digits,
// decimal as a column of type DECIMAL does.
func asJavaScript(value any) any {
	n, _ := value.(json.Number)
	if f, err := n.Float64(); err == nil {
		return json.Number(strconv.FormatFloat(f, 'f', -1, 64))
	}
	return value
}

func asPHP(value any) any {
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

func decimal(places int) func(value any) any {
	return func(value any) any {
		n, _ := value.(json.Number)
		if exact, ok := exactly(n); ok {
			return json.Number(exact.FloatString(places))
		}
		return value
	}
}

// anyTies puts neighbours of one date in any order, another one each time.
func anyTies(s *selected) {
	for i := 1; i < len(s.quotes); i++ {
		if a, b := s.quotes[i-1], s.quotes[i]; a.date(s.sort).Equal(b.date(s.sort)) && rand.IntN(2) == 0 {
			s.quotes[i-1], s.quotes[i] = b, a
		}
	}
}

// attack is what a firewall looks for: control characters, SQL, markup, a way out of a folder.
var attack = regexp.MustCompile(`(?i)\\u00[01][0-9a-f]|\\[bfnrt]|' or '|<\w+>|\.\./`)

// looksHostile looks through a request, but for pictures, and leaves it as it was.
func (q *call) looksHostile() bool {
	if q.operation == documenting {
		return false
	}
	body, _ := io.ReadAll(io.LimitReader(q.r.Body, maxJSON))
	q.r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), q.r.Body))
	return attack.Match(body) || attack.MatchString(q.r.URL.String())
}

// stopped is the page of a firewall.
func stopped(a *reply) {
	a.header.Set("Content-Type", "text/html")
	a.status, a.body = http.StatusForbidden, []byte("<html><body>Request blocked.</body></html>")
}
