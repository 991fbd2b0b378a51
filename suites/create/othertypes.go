package create

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
	"net/url"
	"slices"
)

// asForm writes a JSON object as a form does, with dots in the names of what lies inside other objects.
func asForm(body []byte) []byte {
	form := url.Values{}
	leaves("", decoded(body), func(path, value string) { form.Set(path, value) })
	return []byte(form.Encode())
}

func leaves(path string, value any, each func(path, value string)) {
	object, ok := value.(map[string]any)
	if !ok {
		each(path, fmt.Sprint(value))
		return
	}
	for name, inner := range object {
		if path != "" {
			name = path + "." + name
		}
		leaves(name, inner, each)
	}
}

// asXML writes a JSON object as XML, an element for each name.
func asXML(body []byte) []byte {
	out := bytes.NewBufferString(xml.Header)
	element(out, "legal_representative", decoded(body))
	return out.Bytes()
}

func element(out *bytes.Buffer, name string, value any) {
	out.WriteString("<" + name + ">")
	if object, ok := value.(map[string]any); ok {
		for _, inner := range slices.Sorted(maps.Keys(object)) {
			element(out, inner, object[inner])
		}
	} else {
		_ = xml.EscapeText(out, []byte(fmt.Sprint(value))) // a buffer takes everything
	}
	out.WriteString("</" + name + ">")
}

// decoded reads a body that the run made itself, with its numbers as they are written.
func decoded(body []byte) (value any) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		panic(fmt.Sprintf("a body of our own that is no JSON: %v", err))
	}
	return value
}
