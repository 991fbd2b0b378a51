package answers

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/spec"
)

// WebPageReason returns why a 2xx judges nothing if it comes from no API, but is a site's front
// page or a page of a proxy. It returns nil for other answers, including 201.
func WebPageReason(x *client.Exchange) error {
	kind, _, _ := mime.ParseMediaType(x.Header.Get("Content-Type"))
	if _, isJSON := ParseJSON(x.Body); isJSON { // whatever its declared type
		return nil
	}
	if !x.IsSuccess() || x.Status == http.StatusCreated ||
		kind != "text/html" && kind != "application/xhtml+xml" {
		return nil
	}
	return spec.Inconclusivef(
		"the answer was a web page (%s, %s): check base_url, and whether a proxy or a login "+
			"page is in between",
		Describe(x), kind)
}

// Describe describes the answer to a request in a few words: its status, or why there is none.
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

// maxQuotedChars limits the characters quoted from an answer.
const maxQuotedChars = 200

// DescribeWithMessage returns Describe's text and, in one redacted line, the deployment's error
// message. It quotes nothing of a success, where a value of the record may look like a message.
func DescribeWithMessage(x *client.Exchange) string {
	text := Describe(x)
	if x == nil || x.Err != nil || x.Status == 0 || x.IsSuccess() {
		return text
	}
	if words := errorMessages(x); words != "" {
		text += ": " + words
	}
	return text
}

var shareholderWord = regexp.MustCompile(`(?i)shareholder|acionista`)

// MentionsShareholder reports whether an answer mentions the shareholder.
func MentionsShareholder(x *client.Exchange) bool {
	return shareholderWord.Match(x.Recorded.ResponseBody)
}

// errorMessages returns the messages in an answer, or else its text, unless it is a web page.
func errorMessages(x *client.Exchange) string {
	body := x.Recorded.ResponseBody
	var said []string
	doc, _ := ParseJSON(body)
	WalkLeaves(doc, func(path string, leaf any) {
		text, _ := leaf.(string)
		switch name := path[strings.LastIndexByte(path, '.')+1:]; {
		case text == "":
		case slices.Contains([]string{"field", "name", "path", "parameter", "pointer", "header"}, name):
			said = append(said, text+":")
		case path == "message" || path == "error.message":
			said = slices.Insert(said, 0, text)
		case slices.Contains([]string{
			"message", "detail", "details", "description", "error", "errors", "title", "reason", "issue",
		}, name):
			said = append(said, text)
		}
	})
	text := strings.Join(said, " ")
	if text == "" && !bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) && utf8.Valid(body) {
		text = string(body)
	}
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > maxQuotedChars {
		text = string(runes[:maxQuotedChars]) + "…"
	}
	return text
}

// StatusText returns the status of an answer, or the kind of error if there is none.
func StatusText(x *client.Exchange) string {
	switch {
	case x == nil:
		return "nothing was sent"
	case x.Err != nil:
		return string(x.Err.Kind)
	}
	return strconv.Itoa(x.Status)
}

// CountStatuses counts how exchanges ended: "1 × 200 OK, 15 × 409 Conflict".
func CountStatuses(all []*client.Exchange) string {
	var parts []string
	count := map[string]int{}
	for _, x := range all {
		count[Describe(x)]++
	}
	for _, text := range slices.Sorted(maps.Keys(count)) {
		parts = append(parts, fmt.Sprintf("%d × %s", count[text], text))
	}
	return cmp.Or(strings.Join(parts, ", "), "nothing was sent")
}
