package reproscript

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/curl"
	"github.com/gateassay/gateassay/internal/exactjson"
)

// minUniqueLength is the minimum length of a text that does not occur in a request by chance.
const minUniqueLength = 8

var uuidV4Pattern = regexp.MustCompile(
	`(?i)[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`)

// writeDrawnValues draws new values for everything in some steps that must be unique to a run.
func (w *scriptWriter) writeDrawnValues(steps []Step) {
	draws := map[DrawnKind][]string{}
	add := func(kind DrawnKind, text string) {
		if len(text) < minUniqueLength || strings.Trim(text, "0-") == "" ||
			slices.Contains(draws[kind], curl.Quote(text)) {
			return
		}
		if w.names[text] == "" {
			w.names[text] = fmt.Sprintf("%s%d", kind, len(draws[kind])/2+1)
		}
		draws[kind] = append(draws[kind], w.names[text], curl.Quote(text))
	}
	for i := range steps {
		s := &steps[i]
		for _, name := range slices.Sorted(maps.Keys(s.Request.Header)) {
			if slices.ContainsFunc(s.Request.FreshHeaders, equalsFold(name)) && !w.pollsFile(s) {
				add(DrawnUUID, s.Request.Header[name][0])
			}
		}
		for _, d := range s.Drawn {
			add(d.Kind, d.Text)
		}
	}
	call := map[DrawnKind]string{
		DrawnUUID: "anew", DrawnEmail: "anew", DrawnInstant: "instants", DrawnCPF: "cpfs",
	}
	for _, kind := range slices.Sorted(maps.Keys(draws)) {
		w.writeLine(append([]string{call[kind]}, draws[kind]...)...)
	}
}

// writeCarriedValues takes from the new answer the values that later steps use.
func (w *scriptWriter) writeCarriedValues(i int) {
	documents := exactjson.DecodeAll(w.Steps[i].Answer)
	if len(documents) == 0 {
		return
	}
	var said [2]string // by this step and earlier ones; by later ones
	for j, s := range w.Steps {
		at := &said[min(max(j-i, 0), 1)]
		*at += fmt.Sprint(s.Request.URL, s.Request.Header, string(s.Request.Body))
	}
	var walk func(doc any, path string)
	walk = func(doc any, path string) {
		switch at := doc.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(at)) {
				walk(at[name], path+"."+name)
			}
		case []any:
			for i, one := range at {
				walk(one, fmt.Sprint(path, ".", i))
			}
		case string, json.Number:
			text := fmt.Sprint(at)
			if len(text) >= minUniqueLength && w.names[text] == "" &&
				!strings.Contains(said[0], text) && strings.Contains(said[1], text) {
				w.names[text] = fmt.Sprintf("answer%d", len(w.names)+1)
				w.writeLine("take", w.names[text], fmt.Sprint(i+1), curl.Quote(path))
			}
		}
	}
	walk(documents[0], "")
}
