package reproscript

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/curl"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/redact"
)

// Text is the script.
func (s Script) Text() string {
	w := &scriptWriter{Script: s, base: strings.TrimRight(s.BaseURL, "/"), names: map[string]string{}}
	// A download follows from the answer before it, as does where a redirect leads.
	w.Steps = slices.Clone(s.Steps)
	for i := len(w.Steps) - 2; i >= 0; i-- {
		next := &w.Steps[i+1]
		if w.fetchesFile(&w.Steps[i]) && !w.Steps[i].Fetch && next.Request.Method == http.MethodGet &&
			!w.fetchesFile(next) {
			w.Steps[i].reached = true
			w.Steps = slices.Delete(w.Steps, i+1, i+2)
		}
	}
	w.writeDrawnValues()
	for i := range w.Steps {
		w.writeStep(i)
	}
	w.lines = append(w.lines, "", w.expectationCall())
	body := strings.Join(w.lines, "\n") + "\n"
	if s.isRace() {
		body = "for try in 1 2 3; do\n" + body + "done\n"
	}
	body = w.setupLines() + body + "gone 'it is as the rule says'\n"
	return w.headComment() + usedFunctions(body) + "\n" + body
}

// scriptWriter puts a script together.
type scriptWriter struct {
	Script
	base  string            // that addresses begin with
	names map[string]string // text -> the variable that stands for it
	needs []curl.TextPart   // variables of the environment
	lines []string
}

func (w *scriptWriter) writeLine(words ...string) {
	w.lines = append(w.lines, strings.Join(words, " "))
}

// shellWord is a word of the shell. What is drawn anew or taken from an answer is a variable in it.
func (w *scriptWriter) shellWord(t curl.ShellText) string {
	var word strings.Builder
	for _, p := range t {
		if p.Variable == "" {
			word.WriteString(w.plainWord(p.Plain))
			continue
		}
		word.WriteString(`"$` + p.Variable + `"`)
		w.needVariable(p)
	}
	return cmp.Or(word.String(), "''")
}

// needVariable notes a variable, after the one that its value is made of.
func (w *scriptWriter) needVariable(p curl.TextPart) {
	if p.Source != nil {
		w.needVariable(*p.Source)
		p.Source = nil
	}
	if !slices.Contains(w.needs, p) {
		w.needs = append(w.needs, p)
	}
}

func (w *scriptWriter) plainWord(s string) string {
	var pairs []string
	for _, text := range slices.SortedFunc(maps.Keys(w.names),
		func(a, b string) int { return len(b) - len(a) }) {
		pairs = append(pairs, text, "\x00"+w.names[text]+"\x00")
	}
	var word strings.Builder
	for i, part := range strings.Split(strings.NewReplacer(pairs...).Replace(s), "\x00") {
		switch {
		case i%2 == 1:
			word.WriteString(`"$` + part + `"`)
		case part != "":
			word.WriteString(quoteLongRuns(part))
		}
	}
	return word.String()
}

// writeStep sends the request of a step, says what its answer has to be for the expectation to tell
// anything, and takes from it what later steps carry.
func (w *scriptWriter) writeStep(i int) {
	s, r, n := &w.Steps[i], w.Steps[i].Request, fmt.Sprint(i+1)
	own := maps.Clone(r.Header) // what goes along with every request
	maps.DeleteFunc(own, func(name string, _ []string) bool {
		return !redact.IsSecretHeader(name) &&
			!slices.ContainsFunc(append(w.Headers, "User-Agent"), equalsFold(name))
	})
	call := []string{"step", n, curl.Quote(r.Label), fmt.Sprint(max(s.Times, 1))}
	if s.WithNext {
		call = []string{"launch", n}
	}
	r.Header = maps.Clone(r.Header)
	if w.pollsFile(s) {
		call = []string{"await", n + ".1"}
		if s.reached {
			call = []string{"reach", n}
		}
		for name, values := range r.Header {
			// anew for each look
			r.Header[name] = []string{uuidV4Pattern.ReplaceAllLiteralString(values[0], "{uuid}")}
		}
	}
	address, url := r.URLText(), ""
	if path, ours := strings.CutPrefix(address[0].Plain, w.base); ours && w.names[r.URL] == "" {
		address[0].Plain, url = path, `"$GATEWAY_URL"`
	}
	url += w.shellWord(address)
	if len(r.Body) == 0 && r.Method == http.MethodPost {
		r.Header["Content-Length"] = []string{"0"}
	}
	w.writeLine()
	if bytes.Contains(r.Body, []byte(redact.Placeholder)) ||
		strings.Contains(url, redact.Placeholder) || strings.Contains(url, "=redacted") {
		w.writeLine("unclear 'step", n, "sends what is secret, which this script does not hold'")
		return
	}
	if utf8.Valid(r.Body) && bytes.IndexByte(r.Body, 0) < 0 {
		w.writeLine("binary= body=" + w.shellWord(curl.ShellText{{Plain: string(r.Body)}}))
	} else {
		w.writeLine("body= binary=" + printfEscape(r.Body))
	}
	if s.After > 0 {
		w.writeLine("sleep", fmt.Sprint(math.Ceil(s.After.Seconds())))
	}
	w.writeLine(append(append(call, r.Method, url), w.headerOptions(r)...)...)
	if s.WithNext {
		return
	}
	if i > 0 && w.Steps[i-1].WithNext {
		w.writeLanded(i - 1)
	}
	if s.Refused {
		w.writeLine("answered", n)
		w.writeLine(stopOnRefusal(n))
	}
	w.writeLine(w.writeStepCheck(i), n)
	if i == len(w.Steps)-1 && mayBeRefused(w.Expectation) {
		w.writeLine(stopOnRefusal(n))
	}
	if s.Fetch && w.File != nil && !w.pollsFile(s) {
		for name, value := range w.File.Headers {
			own[name] = []string{value}
		}
		method, path, _ := strings.Cut(w.File.Request, " ")
		r.Header, r.Size, r.FreshHeaders = own, 0, nil
		w.writeLine(append([]string{"fetch", n, method, curl.Quote(path)}, w.headerOptions(r)...)...)
	}
	w.writeCarriedValues(i)
}

// mayBeRefused reports an expectation that holds for a refusal as well.
func mayBeRefused(e Expectation) bool {
	switch e := e.(type) {
	case ExpectRows:
		return e.Refused
	case ExpectValue:
		return e.Refused
	}
	return false
}

// stopOnRefusal ends the script where a step was refused.
func stopOnRefusal(step string) string {
	return `[[ ${status[` + step + `]} != 4?? ]] || gone "${status[` + step + `]}"`
}

func (w *scriptWriter) headerOptions(r curl.Request) (words []string) {
	for _, h := range r.HeaderTexts() {
		words = append(words, w.shellWord(h))
	}
	return words
}

// pollsFile reports whether a step asks for a file until it is there, or for where it is.
func (w *scriptWriter) pollsFile(s *Step) bool { return (s.Fetch || s.reached) && w.fetchesFile(s) }

// fetchesFile reports whether a step asks for a file.
func (w *scriptWriter) fetchesFile(s *Step) bool {
	if w.File == nil {
		return false
	}
	method, path, _ := strings.Cut(w.File.Request, " ")
	before, after, _ := strings.Cut(path, "{file_id}")
	return s.Request.Method == method && strings.HasPrefix(s.Request.URL, w.base+before) &&
		strings.HasSuffix(s.Request.URL, after)
}

func equalsFold(name string) func(string) bool {
	return func(other string) bool { return strings.EqualFold(name, other) }
}

// headComment says what the script is.
func (w *scriptWriter) headComment() string {
	head := "#!/usr/bin/env bash\n"
	for _, text := range []string{
		fmt.Sprintf("%s (%s): %s", w.Rule, w.Level, w.Statement), "Found: " + w.Finding,
		"It exits with 1 while that is still there, with 0 when it is gone, and with 2 where it cannot " +
			"tell. It needs bash and curl.",
		"GATEWAY_URL may say where the requests go; without it: " + w.base,
	} {
		head += "# " + strings.Join(printable.Wrap(text, 100), "\n# ") + "\n"
	}
	for _, p := range w.needs {
		if p.Expression == "" {
			head += "# " + p.Variable + " has to be " + p.What + "\n"
		}
	}
	return head + "\n"
}

// setupLines makes ready what the steps need.
func (w *scriptWriter) setupLines() string {
	lines := []string{"begin " + curl.Quote(w.base)}
	var secrets, options []string
	for _, p := range stepCredentials(w.Steps) {
		secrets = append(secrets, `"$`+p.Variable+`"`)
	}
	r := w.Steps[0].Request
	if r.TLS.InsecureSkipVerify {
		options = append(options, "echo insecure")
	}
	for _, o := range [][2]string{
		{"cacert", r.TLS.CAFile},
		{"cert", r.TLS.ClientCert},
		{"key", r.TLS.ClientKey},
		{"proxy", r.Redactor.Text(r.Proxy)},
	} {
		if strings.Contains(o[1], redact.Placeholder) {
			options = append(
				options,
				"setting proxy "+w.shellWord(
					curl.ShellText{{Variable: "GATEWAY_PROXY", What: "the address of the proxy"}}),
			)
		} else if o[1] != "" {
			options = append(options, "setting "+o[0]+" "+curl.Quote(o[1]))
		}
	}
	for _, p := range w.needs {
		if p.Expression == "" {
			lines = append(lines, "need "+p.Variable+" "+curl.Quote(p.What))
			continue
		}
		lines = append(lines, "# "+p.What, p.Variable+"="+p.Expression)
		secrets = append(secrets, `"$`+p.Variable+`"`)
	}
	lines = append(lines, "secrets=("+strings.Join(secrets, " ")+")",
		"options="+wordIf(len(options) > 0, "$("+strings.Join(options, "; ")+")"))
	if f := w.File; f != nil {
		state := cmp.Or(f.State, &deployment.FileState{})
		lines = append(lines,
			fmt.Sprintf("state_path=%s state_ready=%s state_failed=%s url_path=%s patience=%d",
				scriptPath(state.Pointer), quoteLines(state.Ready), quoteLines(state.Failed), scriptPath(f.URL),
				int(cmp.Or(max(f.Timeout, 0), time.Minute).Seconds())))
	}
	return strings.Join(lines, "\n") + "\n"
}
