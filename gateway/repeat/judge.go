package repeat

import (
	_ "embed"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/gateassay/gateassay/gateway/curl"
)

// prelude holds the functions that scripts call.
//
//go:embed prelude.bash
var prelude string

// mustBeAccepted reports whether the sign tells nothing unless a step was accepted.
func (w *writer) mustBeAccepted(i int) bool {
	last := len(w.Steps) - 1
	switch w.Sign.(type) {
	case SameStatus:
		return i < last-1
	case File:
		return i < last || !w.isFile(w.Steps[i].Request)
	case Value, Now, Document, Rows, Table:
		return true
	}
	return i < last
}

// trusted reports whether a step is the first with a credential that the sign expects to be known.
func (w *writer) trusted(i int) bool {
	switch sign := w.Sign.(type) {
	case Status:
		if slices.Contains(sign.Right, "401") {
			return false
		}
	case NoLeak, Blocked, Unchanged:
		return false
	}
	mine := credentials(w.Steps[i : i+1])
	return len(mine) > 0 && !slices.ContainsFunc(credentials(w.Steps[:i]), func(p curl.Part) bool { return slices.Contains(mine, p) })
}

// credentials lists those that steps carry.
func credentials(steps []Step) (list []curl.Part) {
	for _, s := range steps {
		for _, text := range append(s.Request.Headers(), s.Request.Address()) {
			for _, p := range text {
				if p.Credential && !slices.Contains(list, p) {
					list = append(list, p)
				}
			}
		}
	}
	return list
}

// judge looks for the sign.
func (w *writer) judge() {
	last := fmt.Sprint(len(w.Steps))
	before := fmt.Sprint(len(w.Steps) - 1)
	call := func(words ...string) { w.line(append(words[:1:1], append([]string{last}, words[1:]...)...)...) }
	flag := func(set bool, word string) string {
		if set {
			return word
		}
		return "''"
	}
	w.line()
	switch sign := w.Sign.(type) {
	case Status:
		call("right_status", curl.Quote(strings.Join(sign.Right, " ")), curl.Quote(strings.Join(sign.Except, " ")))
	case Blocked:
		call("right_blocked")
	case Value:
		call("right_value", curl.Quote(sign.Path), w.pattern(sign.Right), flag(sign.Not, "not"))
	case Now:
		call("right_now", curl.Quote(sign.Path))
	case Document:
		call("right_document")
	case OneRecord:
		mode := flag(sign.Other, "other")
		if sign.Two {
			mode = "two"
		}
		w.line("right_one_record 1", last, mode)
	case Unchanged:
		words := []string{"right_unchanged 1", last}
		for _, path := range sign.Paths {
			words = append(words, curl.Quote(path))
		}
		w.line(words...)
	case Differ:
		w.line("right_differ 1", last, curl.Quote(sign.Path))
	case AtMostOne:
		call("right_at_most_one", flag(sign.Records, "records"))
	case Rows:
		call("right_rows", w.texts(sign.With), w.texts(sign.Without), w.texts(sign.Once), w.text(sign.Order[0]), w.text(sign.Order[1]))
	case File:
		call("right_file")
	case Table:
		call("right_table")
	case NoLeak:
		call("right_no_leak")
	case SameStatus:
		w.line("right_same_status", before, last)
	}
}

// pattern is a regular expression. A text in it that is drawn anew stands for itself.
func (w *writer) pattern(p string) string {
	for text, name := range w.names {
		if quoted := regexp.QuoteMeta(text); quoted != text && strings.Contains(p, quoted) {
			literal := name + "_literal"
			w.line("literal", literal, `"$`+name+`"`)
			w.names[quoted] = literal
		}
	}
	return w.text(p)
}

// isFile reports whether a request asks for a file.
func (w *writer) isFile(r curl.Request) bool {
	if w.File == nil {
		return false
	}
	method, path, _ := strings.Cut(w.File.Request, " ")
	before, after, _ := strings.Cut(path, "{file_id}")
	return r.Method == method && strings.HasPrefix(r.URL, w.BaseURL+before) && strings.HasSuffix(r.URL, after)
}

// fetch awaits the file of the export that a step started, with some of its headers.
func (w *writer) fetch(n string, headers []string) {
	method, path, _ := strings.Cut(w.File.Request, " ")
	r := w.Steps[0].Request
	r.Header, r.Size = http.Header{}, 0
	for name, value := range w.File.Headers {
		r.Header[name] = []string{value}
	}
	for _, h := range r.Headers() {
		headers = append(headers, w.word(h))
	}
	w.line("name_file", n)
	w.names["{file_id}"] = "file_id"
	w.line(append([]string{"body='' await", n + ".file", method, `"$GATEWAY_URL"` + w.text(path)}, headers...)...)
}

// dotted is a JSON pointer as the functions of scripts write paths.
func dotted(pointer string) (path string) {
	for token := range jsontext.Pointer(pointer).Tokens() {
		path += "." + token
	}
	return path
}

// head says what the script is.
func (w *writer) head() string {
	var head strings.Builder
	comment := func(text string) {
		head.WriteString(strings.TrimRight("# "+strings.Join(strings.Fields(text), " "), " ") + "\n")
	}
	head.WriteString("#!/usr/bin/env bash\n")
	comment(fmt.Sprintf("%s (%s): %s", w.Rule, w.Level, w.Statement))
	comment("Found: " + w.Finding)
	comment("")
	comment("It exits with 1 while that is still there, with 0 when it is gone, and with 2 where it cannot tell.")
	comment("It needs bash and curl, and these variables:")
	comment("GATEWAY_URL: where the requests go; without it " + w.BaseURL)
	for _, p := range w.needs {
		comment(p.Variable + ": " + p.What)
	}
	return head.String() + "\n" + functions(w.setup()+w.body) + "\n" + w.setup()
}

// setup makes ready what the steps need.
func (w *writer) setup() string {
	var head strings.Builder
	set := func(name, value string) { head.WriteString(name + "=" + curl.Quote(value) + "\n") }
	head.WriteString(start)
	head.WriteString("GATEWAY_URL=${GATEWAY_URL:-" + curl.Quote(w.BaseURL) + "} GATEWAY_URL=${GATEWAY_URL%/}\n")
	for _, p := range w.needs {
		head.WriteString("need " + p.Variable + " " + curl.Quote(p.What) + "\n")
	}
	var secrets []string
	for _, p := range credentials(w.Steps) {
		secrets = append(secrets, `"$`+p.Variable+`"`)
	}
	head.WriteString("secrets=(" + strings.Join(secrets, " ") + ")\n")
	if f := w.File; f != nil && strings.Contains(w.body, "await ") {
		set("state_path", "")
		set("state_ready", "")
		set("state_failed", "")
		if f.State != nil {
			set("state_path", dotted(f.State.Pointer))
			set("state_ready", strings.Join(f.State.Ready, "\n"))
			set("state_failed", strings.Join(f.State.Failed, "\n"))
		}
		set("url_path", dotted(f.URL))
		timeout := f.Timeout
		if timeout <= 0 {
			timeout = time.Minute
		}
		set("patience", fmt.Sprint(int(timeout.Seconds())))
	}
	head.WriteString("options=" + w.options() + "\n")
	return head.String()
}

// options are lines of the configuration of curl for all requests.
func (w *writer) options() string {
	r := w.Steps[0].Request
	options := []string{}
	option := func(set bool, text string) {
		if set {
			options = append(options, text)
		}
	}
	option(r.TLS.InsecureSkipVerify, "insecure\n")
	for _, o := range [][2]string{{"cacert", r.TLS.CAFile}, {"cert", r.TLS.ClientCert}, {"key", r.TLS.ClientKey}} {
		option(o[1] != "", "$(setting "+o[0]+" "+curl.Quote(o[1])+")\n")
	}
	return curl.Quote(strings.Join(options, ""))
}

const start = `shopt -u patsub_replacement 2>/dev/null # newer shells take & for what was replaced
for LC_ALL in C.UTF-8 en_US.UTF-8 C; do
  export LC_ALL
  drawn=$'\303\251'
  [ ${#drawn} != 1 ] || break
done 2>/dev/null
umask 077
tmp=$(mktemp -d "${TMPDIR:-/tmp}/repeat.XXXXXX") || unclear 'no temporary folder'
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
`

var (
	function = regexp.MustCompile(`(?m)^([a-z0-9_]+)\(\)`)
	word     = regexp.MustCompile(`[a-z0-9_]+`)
)

// functions are those that a script calls, and those that they call.
func functions(script string) string {
	blocks := strings.Split(strings.TrimSpace(prelude), "\n\n")
	used := map[int]bool{0: true}
	for text := script + blocks[0]; text != ""; {
		words := map[string]bool{}
		for _, name := range word.FindAllString(text, -1) {
			words[name] = true
		}
		text = ""
		for i, block := range blocks {
			if m := function.FindStringSubmatch(block); !used[i] && words[m[1]] {
				used[i] = true
				text += block
			}
		}
	}
	var all []string
	for _, i := range slices.Sorted(maps.Keys(used)) {
		all = append(all, blocks[i])
	}
	return strings.Join(all, "\n\n") + "\n"
}
