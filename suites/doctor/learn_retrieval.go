package doctor

import (
	"cmp"
	"context"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/exactjson"
	"github.com/gateassay/gateassay/internal/settings"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/target"
)

var (
	stateNamePattern = regexp.MustCompile(`(?i)state|status`)
	linkNamePattern  = regexp.MustCompile(`(?i)ur[il]$|link|href|location|download`)
	plainTextPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_ -]{0,30}$`)
	addressPattern   = regexp.MustCompile(`^(https?:/)?/`)
)

// learnRetrieval finds out how to fetch the file of an export: the path, and where its answers
// have the state and the download address of the file. It reports whether the file was found.
func (p *proposer) learnRetrieval(ctx context.Context, started *client.Exchange) bool {
	id, ok := answers.FileID(started)
	if !ok {
		p.addMissing("export.file: the answer to an export has no file_id")
		return false
	}
	export := p.deployment.Export.Path + "/{file_id}"
	paths := []string{
		"/v1/files/{file_id}", export, export + "/file", export + "/download",
		"/v1/reports/exports/{file_id}", "/v1/reports/files/{file_id}", "/v1/reports/{file_id}",
		"/v1/exports/{file_id}", "/v3/files/{file_id}", "/files/{file_id}",
	}
	p.deployment.Export.File = &deployment.Retrieval{
		Headers: map[string]string{"nonce": "{uuid}"}, Timeout: time.Minute,
	}
	for p.target.Client.Stats().Sent < MaxProposalRequests-len(paths) {
		for _, path := range paths {
			x := p.fetchOnce(ctx, path, id)
			if !x.IsSuccess() || len(x.Body) == 0 || answers.WebPageReason(x) != nil {
				continue
			}
			paths = []string{path}
			if p.deployment.Export.File.Request == "" {
				p.deployment.Export.File.Request = "GET " + path
				p.addSetting("export.file.request", "GET "+path, "observed: "+answers.Describe(x))
				p.addSetting("export.file.headers", `{nonce: "{uuid}"}`,
					"sent with it; whether it is needed was not tried")
			}
			if p.isReady(x) {
				return true
			}
			break
		}
		if !target.SleepContext(ctx, 700*time.Millisecond) {
			break
		}
	}
	p.addMissing("export.file.request: no usual address returned the file in time; ask how a " +
		"finished file is fetched")
	return false
}

// isReady reports whether an answer is the file or holds its address.
func (p *proposer) isReady(x *client.Exchange) bool {
	doc, inJSON := answers.ParseJSON(x.Body)
	if !inJSON {
		if p.state.pointer != "" {
			p.addMissing("export.file.state: name the states that were at %s before the file "+
				"was there; such JSON answers are not the file", p.state.pointer)
		}
		return true
	}
	p.state = findTextInJSON(doc, stateNamePattern, plainTextPattern)
	link := findTextInJSON(doc, linkNamePattern, addressPattern)
	if link.pointer == "" {
		return false
	}
	if s := p.state; s.pointer != "" {
		p.deployment.Export.File.State = &deployment.FileState{
			Pointer: s.pointer, Ready: []string{s.text},
		}
		p.addSettings(settings.Line{
			Key: "export.file.state.pointer", Value: settings.Quote(s.pointer),
		}, settings.Line{
			Key: "export.file.state.ready", Value: "[" + settings.Quote(s.text) + "]",
			Comment: "the state that came with the address; add failed: [...] with the states " +
				"of a failure",
		})
	}
	p.deployment.Export.File.URL = link.pointer
	p.addSetting("export.file.url", settings.Quote(link.pointer),
		"observed: holds the address of the file")
	return true
}

func (p *proposer) fetchOnce(ctx context.Context, path, id string) *client.Exchange {
	return p.target.Client.SendOnce(ctx, &client.Request{
		Label: "look for the file", Operation: client.OperationFile, Method: http.MethodGet,
		Path:   strings.ReplaceAll(path, "{file_id}", id),
		Header: http.Header{"nonce": {target.NewUUID()}}, Credential: p.deployment.Credentials.Main(),
	})
}

// locatedText is a text in a JSON document and its JSON pointer.
type locatedText struct{ pointer, text string }

// findTextInJSON returns the outermost text whose pointer matches named and whose value matches
// reads. It ignores lists.
func findTextInJSON(doc any, named, reads *regexp.Regexp) (found locatedText) {
	depth := func(l locatedText) int { return strings.Count(l.pointer, "/") }
	answers.WalkLeaves(doc, func(path string, value any) {
		text, is := value.(string)
		l := locatedText{"/" + strings.ReplaceAll(path, ".", "/"), text}
		there, _ := exactjson.LookupPointer(doc, l.pointer)
		if is && there == value && named.MatchString(l.pointer) && reads.MatchString(text) &&
			(found.pointer == "" ||
				cmp.Or(cmp.Compare(depth(l), depth(found)), cmp.Compare(l.pointer, found.pointer)) < 0) {
			found = l
		}
	})
	return found
}
