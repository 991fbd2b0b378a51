package curl

import (
	"encoding/json"
	"fmt"
	"strings"
)

// plainCharacters mean nothing to a shell nor to sed, wherever they stand.
const plainCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// retrieval is how an export's file was got: asked for by its ID, then downloaded from the address in the answer.
type retrieval struct {
	id       string // of the file
	ask      *Step  // the last request that asked for it by its ID
	download *Step  // nil: the answer to ask was the file
	key      string // member of ask's answer that holds the address
}

// retrievalOf finds, among requests for files, those that got the file of an export; nil when they are not known.
func retrievalOf(export *Step, files []*Step) *retrieval {
	var answer struct {
		ID string `json:"file_id"`
	}
	if !export.Export || json.Unmarshal(export.Answer, &answer) != nil || len(answer.ID) < 4 ||
		strings.Trim(answer.ID, plainCharacters) != "" {
		return nil
	}
	f := &retrieval{id: answer.ID}
	first := ""
	for _, x := range files {
		if first == "" && strings.Contains(x.URL, f.id) {
			first = x.URL
		}
		if first != "" && x.URL == first {
			f.ask, f.download, f.key = x, nil, ""
		} else if f.ask != nil && f.download == nil {
			if key := addressIn(f.ask.Answer, x.URL); key != "" {
				f.download, f.key = x, key
			}
		}
	}
	if f.ask == nil {
		return nil
	}
	return f
}

// addressIn names the member of a JSON text whose value is an address, whatever its query: there lie secrets, which
// are written differently in a text and in an address. "" when there is none.
func addressIn(body []byte, address string) string {
	address, _, _ = strings.Cut(address, "?")
	var value any
	_ = json.Unmarshal(body, &value)
	var find func(v any, name string) string
	find = func(v any, name string) string {
		switch v := v.(type) {
		case map[string]any:
			for k, inner := range v {
				if found := find(inner, k); found != "" {
					return found
				}
			}
		case string:
			if v, _, _ = strings.Cut(v, "?"); v == address && strings.Trim(name, plainCharacters) == "" {
				return name
			}
		}
		return ""
	}
	return find(value, "")
}

// member is a shell command that prints a string member of the JSON that it reads.
func member(name string) string {
	return `sed -n 's/.*"` + name + `" *: *"\([^"]*\)".*/\1/p'`
}

// script is the shell text that sends an export, by a command, and then gets its file.
func (f *retrieval) script(command string) string {
	var s strings.Builder
	fmt.Fprintf(&s, "answer=$(%s)\nprintf '%%s\\n' \"$answer\"\nfile=$(printf '%%s\\n' \"$answer\" | %s)\n", command,
		member("file_id"))
	at := `"` + strings.ReplaceAll(double(f.ask.URL), f.id, "${file}") + `"`
	ask := strings.ReplaceAll(f.ask.Command.with(nil), single(f.ask.URL), at)
	ask = strings.ReplaceAll(ask, f.id, `'"$file"'`) // elsewhere it stands in single quotes
	if f.download == nil {
		return s.String() + "sleep 3\n" + ask
	}
	ask = strings.Replace(ask, "curl -sS -i", "curl -sS", 1)
	fmt.Fprintf(&s, "for i in $(seq 30); do\nurl=$(%s | %s | sed 's,\\\\/,/,g; s,\\\\u0026,\\&,g')\n"+
		"[ -n \"$url\" ] && break; sleep 1\ndone\n", ask, member(f.key))
	s.WriteString(strings.ReplaceAll(f.download.Command.with(nil), single(f.download.URL), `"$url"`))
	return s.String()
}
