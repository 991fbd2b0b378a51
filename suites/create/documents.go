package create

import (
	"context"
	"net/http"

	"github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// documentNames are the required documents, in the order in which they are uploaded one by one.
var documentNames = []string{"selfie", "identity_document", "qualification_declaration"}

// uploaded is a complete upload: one answer, or one for each document.
type uploaded struct {
	id      string
	answers []target.Answer
}

func (u uploaded) accepted() bool {
	for _, a := range u.answers {
		if !a.Success() {
			return false
		}
	}
	return len(u.answers) > 0
}

// documents: the upload that completes a creation.
func (s *suite) documents() {
	// Selfie, identity document and declaration of powers are accepted.
	complete := plan.Observe(s.p, "upload of the three documents", s.complete)
	s.p.It("create.documents.accepted", "the three documents are accepted", plan.After(complete), func(ctx context.Context) {
		for _, a := range complete.Await(ctx).answers {
			gomega.Expect(a).To(matchers.BeAccepted())
		}
	})

	// Each of them is required.
	for _, name := range documentNames {
		what := "upload without the " + name
		seen := plan.Observe(s.p, what, func(ctx context.Context) (target.Answer, error) {
			if s.t.Deployment.LegalRepresentative.Documents.OneRequestPerDocument {
				return target.Answer{}, plan.Unmet("", "each document is uploaded by a request of its own, so no request lacks one")
			}
			id, err := s.controlID(ctx)
			if err != nil {
				return target.Answer{}, err
			}
			return s.spoiled(ctx, complete, target.AboutField, what, id, others(name))
		})
		s.p.It("create.documents.missing", "without the "+name+" the upload is rejected", plan.After(seen), func(ctx context.Context) {
			gomega.Expect(seen.Await(ctx)).To(matchers.BeRejected())
		})
	}

	// Whoever uploads shows who they are.
	const nobody = "upload without a credential"
	anonymous := plan.Observe(s.p, nobody, func(ctx context.Context) (target.Answer, error) {
		id, err := s.controlID(ctx)
		if err != nil {
			return target.Answer{}, err
		}
		return s.spoiledBy(ctx, complete, target.AboutCaller, func() *client.Exchange {
			return s.uploadAs(ctx, nil, nobody, id, s.batches()[0])
		})
	})
	s.p.It("create.documents.authenticated", "nobody in particular uploads", plan.After(anonymous), func(ctx context.Context) {
		gomega.Expect(anonymous.Await(ctx)).To(matchers.BeRefused())
	})

	// Documents belong to a representative that exists.
	const what = "upload for a representative that does not exist"
	unknown := plan.Observe(s.p, what, func(ctx context.Context) (target.Answer, error) {
		return s.spoiled(ctx, complete, target.AboutCaller, what, target.UUID(), s.batches()[0])
	})
	s.p.It("create.documents.unknown_id", "a random id is refused", plan.After(unknown), func(ctx context.Context) {
		gomega.Expect(unknown.Await(ctx)).To(matchers.BeRefused())
	})
}

func others(name string) []string {
	var rest []string
	for _, other := range documentNames {
		if other != name {
			rest = append(rest, other)
		}
	}
	return rest
}

// batches are the documents by request.
func (s *suite) batches() [][]string {
	if !s.t.Deployment.LegalRepresentative.Documents.OneRequestPerDocument {
		return [][]string{documentNames}
	}
	var single [][]string
	for _, name := range documentNames {
		single = append(single, []string{name})
	}
	return single
}

// complete creates a representative and uploads all documents for it.
func (s *suite) complete(ctx context.Context) (uploaded, error) {
	_, x, err := s.first(ctx, "a creation whose documents follow")
	if err != nil {
		return uploaded{}, err
	}
	id, ok := matchers.RecordID(x)
	if !ok {
		return uploaded{}, errNoID()
	}
	u := uploaded{id: id}
	for _, names := range s.batches() {
		a, err := s.t.Settle(ctx, target.AboutField, func() *client.Exchange {
			return s.upload(ctx, "upload of the documents", id, names)
		}, s.c.CreationAlive)
		if err != nil {
			return u, err
		}
		u.answers = append(u.answers, a)
		if !a.Success() {
			break
		}
	}
	return u, nil
}

// spoiled settles an upload with a defect, once the complete one was accepted.
func (s *suite) spoiled(ctx context.Context, complete *plan.Observation[uploaded], clear target.Clear, label, id string, names []string) (target.Answer, error) {
	return s.spoiledBy(ctx, complete, clear, func() *client.Exchange { return s.upload(ctx, label, id, names) })
}

func (s *suite) spoiledBy(ctx context.Context, complete *plan.Observation[uploaded], clear target.Clear, once func() *client.Exchange) (target.Answer, error) {
	twin, err := complete.Get(ctx)
	if err != nil {
		return target.Answer{}, err
	}
	if !twin.accepted() {
		last := twin.answers[len(twin.answers)-1]
		return target.Answer{}, plan.Unclear("the complete upload was not accepted (%s), so a rejection would say nothing", target.Describe(last.Exchange))
	}
	alive := func(ctx context.Context) (*client.Exchange, bool) {
		x := s.upload(ctx, "upload of the documents again, to see whether the deployment answers", twin.id, s.batches()[0])
		return x, target.AboutField(x)
	}
	return s.t.Settle(ctx, clear, once, alive)
}

// controlID is the representative of the control, for whom nothing was uploaded.
func (s *suite) controlID(ctx context.Context) (string, error) {
	base, err := s.c.Creation.Get(ctx)
	if err != nil {
		return "", err
	}
	id, ok := matchers.RecordID(base.Exchange)
	if !ok {
		return "", errNoID()
	}
	return id, nil
}

func errNoID() error {
	return plan.Unmet("", "the record carries no usable id to upload documents for, see create.response.id")
}

// upload sends some documents for a representative.
func (s *suite) upload(ctx context.Context, label, id string, names []string) *client.Exchange {
	return s.uploadAs(ctx, s.t.Deployment.Credentials.Main(), label, id, names)
}

func (s *suite) uploadAs(ctx context.Context, as *deployment.Credential, label, id string, names []string) *client.Exchange {
	lr := s.t.Deployment.LegalRepresentative
	body, contentType := form(lr.Documents, names)
	return s.t.Client.Send(ctx, func(int) *client.Request {
		r := &client.Request{
			Label: label, Operation: client.Documents, Method: http.MethodPost, Path: documentsPath(lr.Documents.Path, id),
			Header: http.Header{"Content-Type": {contentType}}, Body: body, Credential: as,
		}
		// Every request has an identifier, uploads too; header names keep the deployment's spelling.
		for _, name := range []string{lr.Headers.TransactionID, lr.Headers.Nonce} {
			if name != "" {
				r.Header[name] = []string{target.UUID()}
				r.Fresh = append(r.Fresh, name)
			}
		}
		return r
	})
}
