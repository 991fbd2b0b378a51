package doctor

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
func (p *proposer) file(ctx context.Context, x *client.Exchange) {
	id, ok := target.FileID(x)
	if !ok {
		p.missing("export.file: the answer to an export has no file_id")
		return
	}
	path, answer := p.address(ctx, id)
	if answer == nil {
		p.missing("export.file.request: no usual address returns the file; ask how a finished file is fetched")
		return
	}
	conf := &deployment.Retrieval{
		Request: "GET " + path, Headers: map[string]string{"nonce": "{uuid}"},
		Timeout: time.Minute,
	}
	p.add("export.file.request", conf.Request, "observed: "+status(answer))
	p.add("export.file.headers", `{nonce: "{uuid}"}`, "sent with it; whether it is needed was not tried")
	if !p.await(ctx, conf, id, answer) {
		return
	}
	p.dep.Export.File = conf
	if !p.left(ctx) {
		return
	}
	fetched, err := p.t.Client.FetchWith(ctx, id, p.dep.Credentials.Main(), client.FetchOptions{Most: mostRead})
	if err != nil {
		p.missing("the file could not be fetched: %s", err)
		return
	}
	p.read(fetched)
}

// address tries the usual addresses of a file, twice: a file that is not ready may be nowhere.
func (p *proposer) address(ctx context.Context, id string) (path string, answer *client.Exchange) {
	export := p.dep.Export.Path
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
			if x := p.look(ctx, path, id); x != nil && x.Success() && len(x.Body) > 0 && target.WebPage(x) == nil {
				return path, x
			}
		}
	}
	return "", nil
}

func (p *proposer) look(ctx context.Context, path, id string) *client.Exchange {
	if !p.left(ctx) {
		return nil
	}
	return p.t.Client.Once(ctx, &client.Request{
		Label: "look for the file", Operation: client.File, Method: http.MethodGet,
		Path:   strings.ReplaceAll(path, "{file_id}", id),
		Header: http.Header{"nonce": {target.UUID()}}, Credential: p.dep.Credentials.Main(),
	})
}

// await follows the answers until they are the file or carry its address, and returns whether they came to that.
func (p *proposer) await(ctx context.Context, conf *deployment.Retrieval, id string, x *client.Exchange) bool {
	path := strings.TrimPrefix(conf.Request, "GET ")
	var pointer string
	for range looks {
		var doc any
		if json.Unmarshal(x.Body, &doc) != nil {
			if pointer != "" {
				// What is handed over now is the file: the state that this took was never seen.
				p.missing("export.file.state: the last state before the file was at %s; "+
					"answers in JSON are not the file", pointer)
			}
			return true
		}
		leaves := texts(doc, "", map[string]string{})
		if pointer == "" {
			pointer = state(leaves)
		}
		if at := link(leaves); at != "" {
			if value := leaves[pointer]; pointer != "" && value != "" {
				conf.State = &deployment.State{Pointer: pointer, Ready: []string{value}}
				p.add("export.file.state.pointer", text(pointer), "")
				p.add("export.file.state.ready", "["+text(value)+"]",
					"observed when the address was there; add failed: [...] for those of a failure")
			}
			conf.URL = at
			p.add("export.file.url", text(at), "observed: holds the address of the file")
			return true
		}
		if !target.Wait(ctx, pause) {
			break
		}
		if x = p.look(ctx, path, id); x == nil || !x.Success() {
			break
		}
	}
	p.missing("export.file.state and export.file.url: the file was not ready after %d looks", looks)
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

// texts collects the texts of a JSON document by their pointers; lists are not part of a state.
func texts(v any, at string, leaves map[string]string) map[string]string {
	const most, deepest = 200, 5
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if len(leaves) < most && strings.Count(at, "/") < deepest {
				texts(inner, at+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name), leaves)
			}
		}
	case string:
		leaves[at] = v
	}
	return leaves
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
