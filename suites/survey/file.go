package survey

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites/target"
)

const (
	looks = 8 // at one file, until it is ready
	pause = 400 * time.Millisecond
)

// file looks for the address under which the file of an export is handed over, and reads the file.
func (s *survey) file(ctx context.Context, x *client.Exchange) {
	id, ok := target.FileID(x)
	if !ok {
		s.missing("export.file: the answer to an export has no file_id")
		return
	}
	path, answer := s.address(ctx, id)
	if answer == nil {
		s.missing("export.file.request: no usual address returns the file; ask how a finished file is fetched")
		return
	}
	conf := &deployment.Retrieval{
		Request: "GET " + path, Headers: map[string]string{"nonce": "{uuid}"},
		Timeout: time.Minute,
	}
	s.add("export.file.request", conf.Request, "observed: "+status(answer))
	s.add("export.file.headers", `{nonce: "{uuid}"}`, "sent with it; whether it is needed was not tried")
	if !s.await(ctx, conf, id, answer) {
		return
	}
	s.dep.Export.File = conf
	if !s.left(ctx) {
		return
	}
	fetched, err := s.t.Client.FetchWith(ctx, id, s.dep.Credentials.Main(), client.FetchOptions{Most: mostRead})
	if err != nil {
		s.missing("the file could not be fetched: %s", s.t.Client.Redactor().Text(err.Error()))
		return
	}
	s.read(fetched)
}

// address tries the usual addresses of a file, twice: a file that is not ready may be nowhere.
func (s *survey) address(ctx context.Context, id string) (path string, answer *client.Exchange) {
	export := s.dep.Export.Path
	for round := range 2 {
		if round > 0 && !target.Wait(ctx, 2*time.Second) {
			break
		}
		for _, path := range []string{
			"/v1/files/{file_id}", export + "/{file_id}", export + "/{file_id}/file", export + "/{file_id}/download",
			"/v1/reports/exports/{file_id}", "/v1/reports/files/{file_id}", "/v1/reports/{file_id}",
			"/v1/exports/{file_id}",
			"/v3/files/{file_id}", "/files/{file_id}",
		} {
			if x := s.look(ctx, path, id); x != nil && x.Success() && len(x.Body) > 0 && target.WebPage(x) == nil {
				return path, x
			}
		}
	}
	return "", nil
}

func (s *survey) look(ctx context.Context, path, id string) *client.Exchange {
	if !s.left(ctx) {
		return nil
	}
	return s.t.Client.Once(ctx, &client.Request{
		Label: "look for the file", Operation: client.File, Method: http.MethodGet,
		Path:   strings.ReplaceAll(path, "{file_id}", id),
		Header: http.Header{"nonce": {target.UUID()}}, Credential: s.dep.Credentials.Main(),
	})
}

// await follows the answers until they are the file or carry its address, and returns whether they came to that.
func (s *survey) await(ctx context.Context, conf *deployment.Retrieval, id string, x *client.Exchange) bool {
	path := strings.TrimPrefix(conf.Request, "GET ")
	var pointer string
	for range looks {
		var doc any
		if json.Unmarshal(x.Body, &doc) != nil {
			if pointer != "" {
				// What is handed over now is the file: the state that this took was never seen.
				s.missing("export.file.state: the last state before the file was at %s; "+
					"answers in JSON are not the file", pointer)
			}
			return true
		}
		leaves := map[string]string{}
		walk(doc, "", leaves)
		if pointer == "" {
			pointer = state(leaves)
		}
		if at := link(leaves); at != "" {
			if value := leaves[pointer]; pointer != "" && value != "" {
				conf.State = &deployment.State{Pointer: pointer, Ready: []string{value}}
				s.add("export.file.state.pointer", text(pointer), "")
				s.add("export.file.state.ready", "["+text(value)+"]",
					"observed when the address was there; add failed: [...] for those of a failure")
			}
			conf.URL = at
			s.add("export.file.url", text(at), "observed: holds the address of the file")
			return true
		}
		if !target.Wait(ctx, pause) {
			break
		}
		if x = s.look(ctx, path, id); x == nil || !x.Success() {
			break
		}
	}
	s.missing("export.file.state and export.file.url: the file was not ready after %d looks", looks)
	return false
}

var (
	stateful = regexp.MustCompile(`(?i)state|status`)
	linking  = regexp.MustCompile(`(?i)ur[il]$|link|href|location|download`)
	plainly  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_ -]{0,30}$`)
)

// state is the pointer of what is most likely the state of a file.
func state(leaves map[string]string) string {
	for _, at := range byDepth(leaves) {
		if stateful.MatchString(at) && plainly.MatchString(leaves[at]) {
			return at
		}
	}
	return ""
}

// link is the pointer of an address.
func link(leaves map[string]string) string {
	for _, at := range byDepth(leaves) {
		value := leaves[at]
		if linking.MatchString(at) && (strings.HasPrefix(value, "http://") || strings.HasPrefix(value, "https://") ||
			strings.HasPrefix(value, "/")) {
			return at
		}
	}
	return ""
}

func byDepth(leaves map[string]string) []string {
	return slices.SortedFunc(maps.Keys(leaves), func(a, b string) int {
		if d := strings.Count(a, "/") - strings.Count(b, "/"); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
}

// walk collects texts of a JSON document by their pointers; lists are not part of a state.
func walk(v any, at string, leaves map[string]string) {
	const most, deepest = 200, 5
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if len(leaves) < most && strings.Count(at, "/") < deepest {
				walk(inner, at+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name), leaves)
			}
		}
	case string:
		leaves[at] = v
	}
}

var unquoted = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_/-]*$`)

// text writes a text of the deployment in YAML.
func text(s string) string {
	s = strings.ReplaceAll(s, "${", "$${")
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "null", "y", "n":
	default:
		if unquoted.MatchString(s) {
			return s
		}
	}
	data, err := json.Marshal(s)
	if err != nil {
		return strconv.Quote(s)
	}
	return string(data)
}
