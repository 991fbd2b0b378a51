package repeat

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/curl"
	"github.com/gateassay/gateassay/gateway/redact"
)

// Text is the script.
func (s Script) Text() string {
	s.BaseURL = strings.TrimRight(s.BaseURL, "/")
	w := &writer{Script: s, names: map[string]string{}}
	w.draw()
	for i := range s.Steps {
		w.step(i)
	}
	w.judge()
	if _, race := s.Sign.(AtMostOne); race {
		w.body = "for try in 1 2 3; do\n" + w.body + "done\n"
	}
	w.line("gone 'it is as the rule says'")
	return w.head() + w.body
}

// writer puts a script together.
type writer struct {
	Script
	names map[string]string // text -> the variable that stands for it
	needs []curl.Part       // variables of the environment
	body  string
}

func (w *writer) line(words ...string) { w.body += strings.Join(words, " ") + "\n" }

// word is a word of the shell. What is drawn anew or taken from an answer is a variable in it.
func (w *writer) word(t curl.Text) string {
	var word strings.Builder
	for _, p := range t {
		if p.Variable == "" {
			word.WriteString(w.plain(p.Plain))
			continue
		}
		word.WriteString(`"$` + p.Variable + `"`)
		if !slices.Contains(w.needs, p) {
			w.needs = append(w.needs, p)
		}
	}
	return cmp.Or(word.String(), "''")
}

func (w *writer) text(s string) string { return w.word(curl.Text{{Plain: s}}) }

func (w *writer) texts(list []string) string { return w.text(strings.Join(list, "\n")) }

func (w *writer) plain(s string) string {
	texts := slices.SortedFunc(maps.Keys(w.names), func(a, b string) int {
		return cmp.Or(len(b)-len(a), strings.Compare(a, b))
	})
	var pairs []string
	for _, text := range texts {
		pairs = append(pairs, text, "\x00"+w.names[text]+"\x00")
	}
	var word strings.Builder
	for i, part := range strings.Split(strings.NewReplacer(pairs...).Replace(s), "\x00") {
		switch {
		case i%2 == 1:
			word.WriteString(`"$` + part + `"`)
		case part != "":
			word.WriteString(shortened(part))
		}
	}
	return word.String()
}

// longRun is how often a character follows itself where a person would rather read the number.
const longRun = 500

// shortened quotes a text, with long runs of a character made by a function.
func shortened(s string) string {
	var word strings.Builder
	from := 0
	for i := 0; i < len(s); {
		end := i + 1
		for end < len(s) && s[end] == s[i] {
			end++
		}
		if end-i >= longRun && s[i] > ' ' && s[i] <= '~' {
			if from < i {
				word.WriteString(curl.Quote(s[from:i]))
			}
			fmt.Fprintf(&word, `"$(many %d %s)"`, end-i, curl.Quote(s[i:i+1]))
			from = end
		}
		i = end
	}
	if from < len(s) {
		word.WriteString(curl.Quote(s[from:]))
	}
	return word.String()
}

// step sends the request of a step, and says what its answer has to be for the sign to tell anything.
func (w *writer) step(i int) {
	s, r := &w.Steps[i], w.Steps[i].Request
	n := fmt.Sprint(i + 1)
	awaited := s.Fetch && w.isFile(r)
	if awaited {
		r.Header = http.Header{}
		for name, values := range s.Request.Header {
			for _, v := range values {
				r.Header[name] = append(r.Header[name], version4.ReplaceAllLiteralString(v, "{uuid}"))
			}
		}
	}
	address := r.Address()
	if path, ours := strings.CutPrefix(address[0].Plain, w.BaseURL); ours {
		address = append(curl.Text{{Plain: path}}, address[1:]...)
	}
	url := w.word(address)
	if _, carried := w.names[address[0].Plain]; !carried && len(address[0].Plain) < len(r.URL) {
		url = `"$GATEWAY_URL"` + url
	}
	var headers, kept []string
	for _, h := range r.Headers() {
		word := w.word(h)
		headers = append(headers, word)
		name, _, _ := strings.Cut(h[0].Plain, ":")
		common := slices.ContainsFunc(w.Headers, func(other string) bool { return strings.EqualFold(name, other) })
		if common || redact.SecretHeader(name) || strings.EqualFold(name, "User-Agent") {
			kept = append(kept, word)
		}
	}
	if len(r.Body) == 0 && r.Method == http.MethodPost {
		headers = append(headers, "'Content-Length: 0'")
	}
	w.line()
	if bytes.IndexByte(r.Body, 0) >= 0 || bytes.Contains(r.Body, []byte(redact.Mark)) ||
		strings.Contains(url, redact.Mark) || strings.Contains(url, "=redacted") {
		w.line("unclear 'step " + n + " sends what this script does not hold: binary data, or what is secret'")
		return
	}
	w.line("body=" + w.text(string(r.Body)))
	if awaited {
		w.line(append([]string{"await", n + ".1", r.Method, url}, headers...)...)
	} else {
		sent := append([]string{"step", n, w.text(s.Label), fmt.Sprint(max(s.Times, 1)), r.Method, url}, headers...)
		w.line(sent...)
	}
	switch _, race := w.Sign.(AtMostOne); {
	case race && s.Times > 1: // some may get no answer
	default:
		w.line("answered", n)
	}
	if w.mustBeAccepted(i) {
		w.line("accepted", n)
	} else if w.trusted(i) {
		w.line("known", n)
	}
	if s.Fetch && !awaited && w.File != nil {
		w.fetch(n, kept)
	}
	w.carry(i)
}
