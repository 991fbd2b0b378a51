package doctor

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/suites/target"
)

// documents uploads a form without documents for the representative that was created. It has to be refused, which
// shows that uploads are served there.
func (e *examiner) documents(ctx context.Context) {
	const key = "legal_representative.documents.path"
	lr := e.dep.LegalRepresentative
	id := representative.ID(e.created.Body)
	if lr.Documents == nil || id == "" {
		return
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	_ = w.Close() // a buffer takes everything
	x := e.t.Client.Send(ctx, func(int) *client.Request {
		r := &client.Request{
			Label: "upload without documents", Operation: client.Documents, Method: http.MethodPost,
			Path:   strings.ReplaceAll(lr.Documents.Path, "{id}", url.PathEscape(id)),
			Header: http.Header{"Content-Type": {w.FormDataContentType()}}, Body: form.Bytes(),
			Credential: e.dep.Credentials.Main(),
		}
		for _, name := range []string{lr.Headers.TransactionID, lr.Headers.Nonce} {
			if name != "" {
				r.Header[name] = []string{target.UUID()}
				r.Fresh = append(r.Fresh, name)
			}
		}
		return r
	})
	f := Finding{Topic: "creation", Name: key, State: OK, Text: "refuses an upload without documents"}
	switch {
	case target.WebPage(x) != nil || misplaced(x):
		f.State, f.Text = Broken, "POST "+x.Recorded.URL+" got "+target.Quoted(x)
		f.Do = "check the path: uploads for the id of a creation are not served there"
		f.Blocks = []string{"legal_representative.documents"}
	case x.Success():
		f.Text = fmt.Sprintf("takes an upload without documents: %d", x.Status)
	case !target.AboutField(x):
		f.State, f.Text = Warning, "an upload without documents got "+target.Quoted(x)
		f.Do = "check that the user of credentials." + e.dep.Credentials.Main().Name + " may upload documents"
		if x.Err != nil || x.Status >= 500 || x.Transient() {
			f.Do = "try again; if it stays, look at the deployment's logs"
		}
	}
	e.add(f)
	if f.State == OK && len(lr.Documents.Parts) > 0 {
		e.parts(x)
	}
}

// parts compares the names of the documents with those that the refusal of an upload without them mentions.
func (e *examiner) parts(x *client.Exchange) {
	var named, unnamed []string
	for _, part := range e.dep.LegalRepresentative.Documents.Parts {
		if bytes.Contains(bytes.ToLower(x.Recorded.ResponseBody), []byte(strings.ToLower(part))) {
			named = append(named, part)
		} else {
			unnamed = append(unnamed, part)
		}
	}
	slices.Sort(unnamed)
	f := Finding{
		Topic: "creation", Name: "legal_representative.documents.parts", State: OK,
		Text: "the refusal names all of them",
	}
	switch {
	case len(named) == 0:
		f.State, f.Text = Untried, "only a run tries them"
	case len(named) == 1 && len(unnamed) > 0: // a deployment may name but the first that is missing
		f.State, f.Text = Untried, "the refusal names "+named[0]+"; only a run tries "+strings.Join(unnamed, " and ")
	case len(unnamed) > 0:
		f.State, f.Text = Warning, "an upload without documents got "+target.Quoted(x)
		f.Do = "correct " + strings.Join(unnamed, " and ") + ": the answer names other parts"
		f.Blocks = []string{"legal_representative.documents"}
	}
	e.add(f)
}
