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
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// creations creates one representative, which shows whether names, types and the shareholder are right, and tries what
// goes with creations.
func (e *examiner) creations(ctx context.Context) {
	valid, err := control.New(spec.New(spec.Options{}), e.t).Creation.Get(ctx)
	if e.created = valid.Exchange; err != nil {
		if e.created == nil {
			e.created = e.t.Create(ctx, func() target.Creation { return e.t.Creation("valid creation") })
		}
		e.add(e.diagnose(e.created))
		return
	}
	text := "accepted"
	if spelling := e.t.Spelling(); spelling != "" {
		text += " with " + spelling
	}
	e.found("fixtures.shareholder_id", OK, text, "")
	e.names()
	e.foreign(ctx)
	e.behalf(ctx)
	e.documents(ctx)
}

// diagnose finds the key of the deployment file that the refusal of a valid creation puts in doubt: by its status, else
// by the names that the answer mentions.
func (e *examiner) diagnose(x *client.Exchange) Finding {
	f := Finding{
		Name: "legal_representative", State: Broken, Operations: []string{"create"},
		Text: "a valid creation got " + target.Quoted(x), Blocks: []string{"fixtures.shareholder_id"},
	}
	main := "credentials." + e.dep.Credentials.Main().Name
	switch {
	case x.Err != nil:
		f.Name, f.Do = "creation", advice(x)
	case x.Status == http.StatusUnauthorized:
		f.Name = main
		f.Text, f.Do = e.refused(e.dep.Credentials.Main(), f.Text)
	case x.Status == http.StatusForbidden:
		f.Name, f.Do = main, "give a credential whose user may create legal representatives"
	case misplaced(x) && !control.AboutShareholder(x):
		f.Name, f.Text = "legal_representative.path", "POST "+x.Recorded.URL+" got "+target.Quoted(x)
		f.Do = "check the path: creations are not served there"
		if x.Status == http.StatusNotFound {
			f.Do += ", or fixtures.shareholder_id does not exist"
		}
	case x.Transient() || x.Status >= 500:
		f.Name, f.Do = "creation", advice(x)
	default:
		if f.Name, f.Do = control.Suspect(e.dep, x); f.Name == "" {
			f.Name = "legal_representative"
			f.Do = "compare its headers, fields and field_types, and fixtures.shareholder_id, with what the answer says"
		}
	}
	return f
}

// names warns of fields that were sent under a name which the deployment file gives, and that the record of the accepted
// creation lacks: a deployment that ignores what it does not know accepts whatever stands under a wrong name. Records
// that show nothing of the kind prove nothing.
func (e *examiner) names() {
	record, err := representative.Parse(e.created.Body)
	if err != nil {
		return
	}
	sent := e.t.Creation("names of fields").Draft.Names()
	var absent []string
	shown := 0
	for _, field := range deployment.LogicalFields() {
		path := representative.ResponsePath(field)
		if path == "" || strings.HasPrefix(field, "address") || !slices.Contains(sent, field) {
			continue
		}
		if value, there := record.Get(path); there && value != nil {
			shown++
		} else if e.dep.Has("legal_representative.fields."+field) && !e.dep.Documented(field) {
			absent = append(absent, field)
		}
	}
	for _, field := range absent[:min(len(absent), shown)] {
		e.found("legal_representative.fields."+field, Warning,
			"what was sent as "+e.dep.LegalRepresentative.Fields[field]+" does not come back in the record",
			"check its name in the request: a wrong one is ignored, and "+field+" counts as not validated")
	}
}

// foreign asks for a creation that has to be refused, spelled as the accepted one; nothing is created where the fixture
// is right.
func (e *examiner) foreign(ctx context.Context) {
	id := e.dep.Fixtures.ForeignShareholderID
	if id == "" {
		return
	}
	f := Finding{Name: "fixtures.foreign_shareholder_id", State: OK, Text: "refused, as it should be"}
	switch x := e.t.Create(ctx, func() target.Creation {
		return e.t.Creation("creation for a shareholder of another legal person").With("shareholder_id", id)
	}); {
	case x.Success():
		f.State, f.Text = Warning, "accepted, although it should belong to another legal person"
		f.Blocks = []string{f.Name}
		f.Do = "check that it is a shareholder of credentials.other_user's legal person; if it is, the deployment " +
			"breaks create.shareholder.foreign"
	case !x.Refusal():
		f.State, f.Text, f.Do = Warning, "got "+target.Quoted(x), "try again; if it stays, look at the deployment's logs"
	}
	e.add(f)
}

// behalf asks for a creation with an impossible value in the header that names whom to act for; nothing is created
// where the deployment knows the header by that name.
func (e *examiner) behalf(ctx context.Context) {
	const key = "legal_representative.headers.on_behalf_of"
	if e.dep.LegalRepresentative.Headers.OnBehalfOf == "" || e.dep.Fixtures.ProductID == "" {
		return
	}
	x := e.t.Create(ctx, func() target.Creation {
		c := e.t.Creation("creation on behalf of nobody")
		c.Product, c.OnBehalfOf = e.dep.Fixtures.ProductID, "not-a-uuid"
		return c
	})
	if x.Success() {
		e.found(key, Warning, "a creation with an impossible value in it is accepted",
			"check its name; if it is right, the deployment breaks create.header.on_behalf_of.malformed")
	}
}

// documents uploads a form without documents for the representative that was created. It has to be refused, which
// shows that uploads are served there.
func (e *examiner) documents(ctx context.Context) {
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
			Credential: e.dep.Credentials.Main(), Fresh: []string{lr.Headers.TransactionID, lr.Headers.Nonce},
		}
		for _, name := range r.Fresh {
			r.Header[name] = []string{target.UUID()}
		}
		return r
	})
	f := Finding{Name: "legal_representative.documents.path", State: OK, Text: "refuses an upload without documents"}
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
	f := Finding{Name: "legal_representative.documents.parts", State: OK, Text: "the refusal names all of them"}
	switch {
	case len(named) < 2 && len(unnamed) > 0: // a deployment may name but the first that is missing
		f.State, f.Text = Untried, "only a run tries "+strings.Join(unnamed, " and ")
	case len(unnamed) > 0:
		f.State, f.Text = Warning, "an upload without documents got "+target.Quoted(x)
		f.Do = "correct " + strings.Join(unnamed, " and ") + ": the answer names other parts"
		f.Blocks = []string{"legal_representative.documents"}
	}
	e.add(f)
}
