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
	elsewhere := []string{"shareholder_id.unknown", "shareholder_id.foreign", "header.*.unknown"}
	return map[string]effect{
		"doubles":     does(leaves(asJavaScript), ignoring(creating, "income.range", "patrimony.range")),
		"php-numbers": does(leaves(asPHP), ignoring(creating, "income.range", "patrimony.range")),
		"decimals": does(reads("income patrimony participation_percentage", twoDecimals), at("income", twoDecimals),
			at("patrimony", twoDecimals), refusing(creating, func(v any) bool { return len(fmt.Sprint(v)) > len("999999999999999.00") },
				moneyFields...)),
		"trimmed":  leaves(text(func(s string) string { return strings.Trim(s, " \t\n\r\v\x00") })),
		"composed": leaves(text(norm.NFC.String)),
		"lower-domain": does(at("email", func(s string) string {
			name, domain, _ := strings.Cut(s, "@")
			return name + "@" + strings.ToLower(domain)
		})),
		"whole-seconds": dated(time.RFC3339),
		"any-ties":      does(anyTies),
		"elsewhere-404": does(onDefects(creating, elsewhere, withStatus(http.StatusNotFound)),
			onDefects(exporting, elsewhere, withStatus(http.StatusNotFound))),
		"firewall": does(func(q *call, s *sender) {
			if q.looksHostile() {
				s.user = nil
				q.w.Header().Set("X-Firewall", "blocked")
			}
		}, answered("unauthenticated", func(a *reply) {
			if a.header.Get("X-Firewall") != "" {
				stopped(a)
			}
		})),
		"two-rows": does(func(rows *table) { // the legs of a quote
			all := (*rows)[:1:1]
			for _, row := range (*rows)[1:] {
				other := slices.Clone(row)
				other[5] = "-" + other[5]
				all = append(all, row, other)
			}
			*rows = all
		}),
	}
}

// leaves changes the texts and numbers of a body before anybody looks at it, replay protection included.
func leaves(change func(leaf any) any) effect {
	var in func(value any) any
	in = func(value any) any {
		switch value := value.(type) {
		case object:
			for key, inner := range value {
				value[key] = in(inner)
			}
			return value
		case []any:
			for i, inner := range value {
				value[i] = in(inner)
			}
			return value
		}
		return change(value)
	}
	return does(func(_ *call, body posted) { in(object(body)) }, on(exporting, func(q *call, s *sighting) {
		body, _ := json.Marshal(q.values)
		s.body = string(body)
	}))
}

func text(change func(string) string) func(any) any {
	return func(leaf any) any {
		if s, is := leaf.(string); is {
			return change(s)
		}
		return leaf
	}
}

// asJavaScript is a number as JSON.parse and JSON.stringify leave it, asPHP as json_decode and json_encode do with 17 digits.
func asJavaScript(leaf any) any {
	n, _ := leaf.(json.Number)
	if f, err := n.Float64(); err == nil {
		return json.Number(strconv.FormatFloat(f, 'f', -1, 64))
	}
	return leaf
}

func asPHP(leaf any) any {
	n, _ := leaf.(json.Number)
	_, whole := n.Int64()
	f, err := n.Float64()
	if whole == nil || err != nil {
		return leaf
	}
	digits := strconv.FormatFloat(f, 'g', 17, 64)
	if !strings.ContainsAny(digits, ".e") {
		digits += ".0"
	}
	return json.Number(digits)
}

// twoDecimals is a number in a column of type DECIMAL.
func twoDecimals(value any) any {
	n, _ := value.(json.Number)
	if exact, ok := exactly(n); ok {
		return json.Number(exact.FloatString(2))
	}
	return value
}

// anyTies puts quotes of one date in any order, another one each time.
func anyTies(s *selected) {
	for from := 0; from < len(s.quotes); {
		to := from + 1
		for to < len(s.quotes) && s.quotes[to].date(s.sort).Equal(s.quotes[from].date(s.sort)) {
			to++
		}
		tied := s.quotes[from:to]
		rand.Shuffle(len(tied), func(i, j int) { tied[i], tied[j] = tied[j], tied[i] })
		from = to
	}
}

// attack is what a firewall looks for: control characters, SQL, markup, a way out of a folder.
var attack = regexp.MustCompile(`(?i)\\u00[01][0-9a-f]|\\[bfnrt]|' or '|<\w+>|\.\./`)

// looksHostile looks through a request and leaves it as it was.
func (q *call) looksHostile() bool {
	if q.operation == documenting { // pictures are not looked through
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
