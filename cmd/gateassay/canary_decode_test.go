package main

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// decoder makes of a text what somebody may read out of it. It shares nothing with what redacts.
type decoder struct {
	runs map[string]bool
	seen map[string]bool
}

func newDecoder(secrets []string) *decoder {
	d := &decoder{runs: map[string]bool{}, seen: map[string]bool{}}
	for _, s := range secrets {
		if parts := strings.Split(s, "."); len(parts) == 3 {
			s = parts[1] + "." + parts[2] // the header of a token is the same everywhere
		}
		plain := bare(s)
		for i := 0; i+12 <= len(plain); i++ {
			d.runs[plain[i:i+12]] = true
		}
	}
	return d
}

var (
	notLetters  = regexp.MustCompile(`[^a-z0-9]+`)
	base64Runs  = regexp.MustCompile(`[A-Za-z0-9+/_-][A-Za-z0-9+/_\r\n-]{15,}`)
	base32Runs  = regexp.MustCompile(`[A-Z2-7]{20,}`)
	hexRuns     = regexp.MustCompile(`(?:[0-9A-Fa-f]{2}[ :,]?){12,}`)
	numberLists = regexp.MustCompile(`(?:[0-9]{1,3}[ ,]+){11,}[0-9]{1,3}`)
	unicodes    = regexp.MustCompile(`\\+[ux]([0-9A-Fa-f]{4}|[0-9A-Fa-f]{2})`)
	percents    = regexp.MustCompile(`[%=]([0-9A-Fa-f]{2})`)
)

func bare(s string) string {
	return notLetters.ReplaceAllString(strings.ToLower(norm.NFKC.String(s)), "")
}

// find returns a run of a credential that the text holds, or "".
func (d *decoder) find(s string, depth int) string {
	if len(s) < 12 || d.seen[s] {
		return ""
	}
	d.seen[s] = true
	plain := bare(s)
	for i := 0; i+12 <= len(plain); i++ {
		if d.runs[plain[i:i+12]] {
			return plain[i : i+12]
		}
	}
	if depth == 0 {
		return ""
	}
	for _, next := range readingsOf(s) {
		if found := d.find(next, depth-1); found != "" {
			return found
		}
	}
	return ""
}

func readingsOf(s string) []string {
	code := func(e string) string {
		n, _ := strconv.ParseUint(strings.TrimLeft(e, `\ux%=`), 16, 32)
		return string(rune(n))
	}
	all := []string{
		html.UnescapeString(s), percents.ReplaceAllStringFunc(s, code), unicodes.ReplaceAllStringFunc(s, code),
		strings.NewReplacer(`\r`, "", `\n`, "", `\"`, `"`).Replace(s),
	}
	add := func(b []byte, _ error) { all = append(all, string(b)) }
	for _, run := range base64Runs.FindAllString(s, -1) {
		run = strings.NewReplacer("\r", "", "\n", "", "+", "-", "/", "_").Replace(run)
		for offset := range 4 {
			if part := run[min(offset, len(run)):]; len(part) > 4 {
				add(base64.RawURLEncoding.DecodeString(part[:len(part)-len(part)%4]))
			}
		}
	}
	for _, run := range base32Runs.FindAllString(s, -1) {
		for offset := range 8 {
			part := run[offset:]
			add(base32.StdEncoding.DecodeString(part[:len(part)-len(part)%8]))
		}
	}
	for _, run := range hexRuns.FindAllString(s, -1) {
		run = strings.NewReplacer(" ", "", ":", "", ",", "").Replace(run)
		add(hex.DecodeString(run[:len(run)-len(run)%2]))
		add(hex.DecodeString(run[1 : len(run)-(len(run)+1)%2]))
	}
	for _, run := range numberLists.FindAllString(s, -1) {
		var b []byte
		for _, n := range strings.FieldsFunc(run, func(c rune) bool { return c == ' ' || c == ',' }) {
			value, _ := strconv.Atoi(n)
			b = append(b, byte(value))
		}
		add(b, nil)
	}
	return all
}

// texts are the strings of a JSON document, with its keys; of anything else its lines.
func texts(data []byte) []string {
	var all []string
	for _, line := range bytes.Split(data, []byte("\n")) {
		all = append(all, string(line))
		var v any
		if json.Unmarshal(bytes.Trim(line, ", "), &v) == nil {
			all = append(all, stringsOf(v)...)
		}
	}
	var whole any
	if json.Unmarshal(data, &whole) == nil {
		all = append(all, stringsOf(whole)...)
	}
	return all
}

func stringsOf(v any) (all []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, e := range v {
			all = append(all, stringsOf(e)...)
		}
	case map[string]any:
		for k, e := range v {
			all = append(append(all, k), stringsOf(e)...)
		}
	}
	return all
}
