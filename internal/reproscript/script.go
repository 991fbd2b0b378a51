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

// Text returns the script.
func (s Script) Text() string {
	w := &scriptWriter{Script: s, base: strings.TrimRight(s.BaseURL, "/"), names: map[string]string{}}
	// Downloads and redirects follow from the previous answer, so they need no step.
	w.Steps = slices.Clone(s.Steps)
	for i := len(w.Steps) - 2; i >= 0; i-- {
		next := &w.Steps[i+1]
		if w.fetchesFile(&w.Steps[i]) && !w.Steps[i].Fetch && next.Request.Method == http.MethodGet &&
			!w.fetchesFile(next) {
			w.Steps[i].reached = true
			w.Steps = slices.Delete(w.Steps, i+1, i+2)
		}
	}
	w.writeDrawnValues(w.Steps)
	for i := range w.Steps {
		w.writeStep(i)
	}
	w.lines = append(w.lines, "", w.expectationCall())
	switch e := w.Expectation.(type) {
	case ExpectBlocked:
		w.writeLastStepAgain(e.AfterMore)
	case ExpectOneRecord:
		if !e.Two {
			w.writeLastStepAgain(0)
		}
	}
	body := strings.Join(w.lines, "\n") + "\n"
	tries := s.Tries
	if s.isRace() {
		tries = max(tries, 3)
	}
	if tries > 1 {
		body = fmt.Sprintf("for ((try = 1; try <= %d; try++)); do\n%sdone\n", tries, body)
	}
	end := "gone 'the answers are as the rule requires'\n"
	if s.MayMiss {
		end = fmt.Sprintf("unclear 'it is rare, and %d tries did not meet it'\n", tries)
	}
	body = w.setupLines() + body + end
	return w.headComment() + usedFunctions(body) + "\n" + body
}

// scriptWriter assembles a script.
type scriptWriter struct {
	Script
	base  string            // prefix of the URLs
	names map[string]string // text -> the variable that replaces it
	needs []curl.TextPart   // environment variables
	lines []string
}

func (w *scriptWriter) writeLine(words ...string) {
	w.lines = append(w.lines, strings.Join(words, " "))
}

// writeStep sends the request of a step, checks whether its answer lets the script decide, and
// takes from it what later steps use.
func (w *scriptWriter) writeStep(i int) {
	s, n := &w.Steps[i], fmt.Sprint(i+1)
	url := w.urlWord(s.Request)
	w.writeLine()
	if bytes.Contains(s.Request.Body, []byte(redact.Placeholder)) ||
		strings.Contains(url, redact.Placeholder) || strings.Contains(url, "=redacted") {
		w.writeLine("unclear 'step", n, "sends a secret that this script does not contain'")
		return
	}
	if body := s.Request.Body; utf8.Valid(body) && bytes.IndexByte(body, 0) < 0 {
		w.writeLine("binary= body=" + w.shellWord(curl.ShellText{{Plain: string(body)}}))
	} else {
		w.writeLine("body= binary=" + printfEscape(body))
	}
	if s.After > 0 {
		w.writeLine("sleep", fmt.Sprint(math.Ceil(s.After.Seconds())))
	}
	w.writeSending(s, n, url)
	if s.WithNext {
		return
	}
	if i > 0 && w.Steps[i-1].WithNext {
		w.writeLanded(i - 1)
	}
	if s.RefusalIsFixed {
		w.writeLine("answered", n)
		w.writeLine(stopOnRefusal(n))
	}
	w.writeLine(w.stepCheck(i), n)
	if i == len(w.Steps)-1 && mayBeRefused(w.Expectation) {
		w.writeLine(stopOnRefusal(n))
	}
	if s.Fetch && w.File != nil && !w.pollsFile(s) {
		w.writeFetch(s.Request, n)
	}
	w.writeCarriedValues(i)
}

// urlWord returns the URL of a request as a word of the shell.
func (w *scriptWriter) urlWord(r curl.Request) (word string) {
	address := r.URLText()
	if path, ours := strings.CutPrefix(address[0].Plain, w.base); ours && w.names[r.URL] == "" {
		address[0].Plain, word = path, `"$GATEWAY_URL"`
	}
	return word + w.shellWord(address)
}

// writeSending writes the line that sends the request of a step.
func (w *scriptWriter) writeSending(s *Step, n, url string) {
	call, r := []string{"step", n, curl.Quote(s.Request.Label), fmt.Sprint(max(s.Times, 1))}, s.Request
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
			// a new one for each poll
			r.Header[name] = []string{uuidV4Pattern.ReplaceAllLiteralString(values[0], "{uuid}")}
		}
	}
	if len(r.Body) == 0 && r.Method == http.MethodPost {
		r.Header["Content-Length"] = []string{"0"}
	}
	w.writeLine(append(append(call, r.Method, url), w.headerOptions(r)...)...)
}

// writeFetch writes the line that waits for the file of an export and reads it.
func (w *scriptWriter) writeFetch(r curl.Request, n string) {
	r.Header = maps.Clone(r.Header)
	maps.DeleteFunc(r.Header, func(name string, _ []string) bool { // but those of every request
		return !redact.IsSecretHeader(name) &&
			!slices.ContainsFunc(append(w.Headers, "User-Agent"), equalsFold(name))
	})
	for name, value := range w.File.Headers {
		r.Header[name] = []string{value}
	}
	r.Size, r.FreshHeaders = 0, nil
	method, path, _ := strings.Cut(w.File.Request, " ")
	w.writeLine(append([]string{"fetch", n, method, curl.Quote(path)}, w.headerOptions(r)...)...)
}

// writeLastStepAgain sends the last step once more, after n new requests like the first. Processes
// that take turns and share no memory may each block what they answered themselves.
func (w *scriptWriter) writeLastStepAgain(n int) {
	if n > 0 {
		w.writeLine()
		w.writeLine("# Where only the latest requests are remembered, these push the first one out.")
		w.writeLine(fmt.Sprintf("(for ((more = 1; more <= %d; more++)); do", n))
		w.writeDrawnValues(w.Steps[:1])
		w.Steps[0].AnyStatus = true // two may draw the same values
		w.writeStep(0)
		w.writeLine("done) >/dev/null || unclear 'a request in between was throttled or got no answer'")
	}
	w.writeLine()
	w.writeLine("# Once more: a process that shares no memory with the first may get it this time.")
	last := len(w.Steps) - 1
	w.Steps[last].After = 0
	w.writeStep(last)
	w.lines = append(w.lines, "", w.expectationCall())
}

// mayBeRefused reports whether a refusal meets an expectation, too.
func mayBeRefused(e Expectation) bool {
	switch e := e.(type) {
	case ExpectRows:
		return e.Refused
	case ExpectValue:
		return e.Refused
	}
	return false
}

// stopOnRefusal returns a line that ends the script if a step was refused.
func stopOnRefusal(step string) string {
	return `[[ ${status[` + step + `]} != 4?? ]] || gone "${status[` + step + `]}"`
}

func (w *scriptWriter) headerOptions(r curl.Request) (words []string) {
	for _, h := range r.HeaderTexts() {
		words = append(words, w.shellWord(h))
	}
	return words
}

// pollsFile reports whether a step polls for a file or its address.
func (w *scriptWriter) pollsFile(s *Step) bool { return (s.Fetch || s.reached) && w.fetchesFile(s) }

// fetchesFile reports whether a step requests a file.
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

// headComment returns the comment at the top of the script.
func (w *scriptWriter) headComment() string {
	head := "#!/usr/bin/env bash\n"
	for _, text := range []string{
		fmt.Sprintf("%s (%s): %s", w.Rule, w.Level, w.Statement), "Found: " + w.Finding,
		"It exits with 1 if the finding persists, 0 if it is gone, and 2 if it cannot tell. It needs " +
			"bash and curl.",
		"GATEWAY_URL overrides the address of the gateway. Default: " + w.base,
	} {
		head += "# " + strings.Join(printable.Wrap(text, 100), "\n# ") + "\n"
	}
	for _, p := range w.needs {
		if p.Expression == "" {
			head += "# " + p.Variable + " must be set to " + p.What + "\n"
		}
	}
	return head + "\n"
}

// setupLines returns the lines that the steps need before them.
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
		word := curl.Quote(o[1])
		if strings.Contains(o[1], redact.Placeholder) {
			word = w.shellWord(
				curl.ShellText{{Variable: "GATEWAY_PROXY", What: "the address of the proxy"}})
		}
		if o[1] != "" {
			options = append(options, "setting "+o[0]+" "+word)
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
