package target

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/spec"
)

// WebPage is the reason to judge nothing by a 2xx that comes from no API: a site's front page, or what a proxy wants
// its users to read. It is nil for other answers, such as one that something was created.
func WebPage(x *client.Exchange) error {
	kind, _, _ := mime.ParseMediaType(x.Header.Get("Content-Type"))
	if _, isJSON := Document(x.Body); isJSON { // whatever it is declared as
		return nil
	}
	if !x.Success() || x.Status == http.StatusCreated || kind != "text/html" && kind != "application/xhtml+xml" {
		return nil
	}
	return spec.Unclear(
		"a web page came in answer (%s, %s): check base_url, and whether a proxy or a login page is in between",
		Describe(x), kind)
}

// Describe says in a few words what a request got.
func Describe(x *client.Exchange) string {
	switch {
	case x == nil:
		return "nothing was sent"
	case x.Err != nil:
		return x.Err.Error()
	case x.Status == 0:
		return "no answer"
	}
	return fmt.Sprintf("%d %s", x.Status, http.StatusText(x.Status))
}

// mostQuoted is how many characters of an answer are quoted.
const mostQuoted = 200

// Quoted is what Describe says and, in one redacted line, the deployment's own words.
func Quoted(x *client.Exchange) string {
	text := Describe(x)
	if x == nil || x.Err != nil || x.Status == 0 {
		return text
	}
	if words := words(x); words != "" {
		text += ": " + words
	}
	return text
}

// particulars are what an answer says about single fields or headers, the first few of them.
func particulars(parts map[string]any) string {
	const most = 3
	var said []string
	for _, name := range []string{"details", "errors", "fields", "issues", "violations"} {
		list, _ := parts[name].([]any)
		for _, one := range list[:min(len(list), most)] {
			about, _ := one.(map[string]any)
			first := func(names ...string) string {
				for _, name := range names {
					if s, ok := about[name].(string); ok && s != "" {
						return s
					}
				}
				return ""
			}
			what, why := first("field", "name", "path", "parameter", "pointer", "header"),
				first("message", "issue", "detail", "reason", "description")
			if text, plain := one.(string); plain {
				why = text
			}
			if text := strings.Trim(what+": "+why, ": "); text != "" {
				said = append(said, text)
			}
		}
	}
	return strings.Join(said, "; ")
}

// HoldsError reports whether an answer is a JSON object with an error in it.
func HoldsError(x *client.Exchange) bool {
	var parts map[string]any
	return json.Unmarshal(x.Body, &parts) == nil && parts["error"] != nil
}

// words is the message of an answer, else its text; nothing of a web page.
func words(x *client.Exchange) string {
	body := x.Recorded.ResponseBody
	var parts map[string]any
	text := ""
	if json.Unmarshal(body, &parts) == nil {
		if inner, ok := parts["error"].(map[string]any); ok {
			parts = inner
		}
		for _, name := range []string{"message", "detail", "error_description", "error", "title", "code"} {
			if s, ok := parts[name].(string); ok && s != "" {
				text = s
				break
			}
		}
		if more := particulars(parts); more != "" {
			text = strings.TrimSpace(text + " " + more)
		}
	}
	if text == "" && !bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) && utf8.Valid(body) {
		text = string(body)
	}
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > mostQuoted {
		text = string(runes[:mostQuoted]) + "…"
	}
	return text
}
