package export

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/curl"
	"github.com/gateassay/gateassay/gateway/deployment"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/token"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// files: the file that comes of an export.
func (s *Suite) files() {
	s.Describe("file", func() {
		s.Rule("export.file.retrievable", Must, ExportOperation,
			"The file can be fetched by its ID within the time that the deployment states.", s.retrievable)

		s.Rule("export.file.csv", Should, ExportOperation, "The file is CSV that a strict reader accepts.", func() {
			s.readable("the file of an export", s.plain.window)
			if s.t.Deployment.Fixtures.Window != nil { // whichever rows it holds
				s.readable("the file in rising order", s.plain.rising)
				s.readable("the file by settled_date", s.plain.settled)
				s.readable("the file by settled_date in rising order", s.plain.settledRising)
				if f := s.t.Deployment.Fixtures; f.ProductID != "" && f.TargetUserID != "" {
					s.readable("the file for the target user", s.plain.target)
				}
			}
		})

		s.Rule("export.file.again", Should, ExportOperation,
			"A file that is fetched again by its ID holds the same quotes.", spec.Needs("fixtures.window"), func() {
				s.fetchAgain()
			})

		s.Rule("export.file.private", Should, Authentication, "Another user cannot read the file.",
			spec.Security, spec.Needs("credentials.other_user"), func() {
				s.private("is refused to another user", "Another user got the file",
					s.reader("the file, as another user", s.plain.window, s.t.Deployment.Credentials.OtherUser))
				if s.t.Deployment.Credentials.APIKey != nil && s.t.Deployment.Fixtures.Window != nil {
					s.private("is refused to another user where the API key asked for it",
						"Another user got the file of the API key",
						s.reader("the file of an export by API key, as another user", s.plain.key,
							s.t.Deployment.Credentials.OtherUser))
				}
				if s.t.Deployment.Fixtures.Window != nil {
					s.private("by settled_date is refused to another user", "Another user got the file by settled_date",
						s.reader("the file by settled_date, as another user", s.plain.settled,
							s.t.Deployment.Credentials.OtherUser))
				}
				if key := s.t.Deployment.Credentials.APIKey; key != nil { // which reads what is its owner's
					s.private("is refused to the API key of another user", "The API key of another user got the file",
						s.reader("another user's file, by API key", s.plain.theirs, key))
				}
			})

		s.Rule("export.file.authenticated", Should, Authentication,
			"The file cannot be fetched without authentication.", spec.Security, func() {
				s.private("is refused without a credential", "The file was given without authentication",
					s.reader("the file, without a credential", s.plain.window, nil))
				if expired := s.t.Deployment.Credentials.ExpiredToken; expired != nil {
					s.private("is refused to an expired token", "The file was given for an expired token",
						s.reader("the file, with an expired token", s.plain.window, expired))
				}
				s.tampered("a token whose signature was changed", target.SignatureChanged, token.SignatureChanged)
				s.tampered("an unsigned token (alg none)", target.UnsignedAs("none"), token.AlgNone)
				if revoked := s.t.Deployment.Credentials.RevokedAPIKey; revoked != nil {
					s.private("is refused to an API key that was revoked", "The file was given for a revoked API key",
						s.reader("the file, with an API key that was revoked", s.plain.window, revoked))
				}
				if s.t.Deployment.Fixtures.Window != nil {
					s.private("by settled_date is refused without a credential",
						"The file by settled_date was given without authentication",
						s.reader("the file by settled_date, without a credential", s.plain.settled, nil))
					if s.t.Deployment.Credentials.APIKey != nil {
						s.private("is refused without a credential where the API key asked for it",
							"The file of the API key was given without authentication",
							s.reader("the file of an export by API key, without a credential", s.plain.key, nil))
					}
				}
			})
	})
}

// tampered declares the spec that a file is not given for the platform token after it was changed. Where that cannot be
// changed, none is sent.
func (s *Suite) tampered(what string, how *curl.Alteration, change func(string) (string, error)) {
	spec.Helper()
	s.private("is refused to "+what, "The file was given for "+what, s.readerWith("the file, with "+what, s.plain.window,
		how, func() *deployment.Credential { return s.t.Tampered(what, change) }))
}

// fullest is the export that shows the most quotes of all that were compared row by row; nil where none shows any.
func (s *Suite) fullest() (most *sheet) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sh := range s.taken {
		if len(sh.rows) == 0 || sh.partial() || sh.query.most > 0 {
			continue
		}
		if most == nil || cmp.Or(cmp.Compare(len(sh.rows), len(most.rows)),
			strings.Compare(sh.query.label, most.query.label)) > 0 {
			most = sh
		}
	}
	return most
}

// readable declares the spec that each row has the fields of the header, and that what could be taken for a separator
// is quoted.
func (s *Suite) readable(name string, o download) {
	spec.Helper()
	s.Uses(o)
	s.It(name, func(ctx spec.Context) {
		sh := o.Await(ctx)
		found := ""
		switch {
		case sh.refused, sh.fault != nil:
			ctx.GiveUp(sh.usable())
		case sh.blank():
			ctx.Inconclusive("the file is empty, which is not a table")
		case sh.broken != nil:
			found = s.shown(sh.broken.Error()) // titles above the table and totals below it are a choice
		}
		ctx.Expect(found).To(BeNothing("The file is not well-formed CSV",
			"a header and rows of as many fields, quotes closed"))
	})
}

// private declares the spec that a reader was not given the file.
func (s *Suite) private(text, headline string, reader *spec.Observation[reading]) {
	spec.Helper()
	s.It(text, func(ctx spec.Context) {
		got := reader.Await(ctx)
		ctx.Expect(got.found).To(ShownBy(BeNothing(headline, "a 4xx"), got.seq, 0))
	})
}

// reading is how a reader was given a file, and the exchange that shows it.
type reading struct {
	found string // empty: it was not
	seq   int
}

// reader fetches the file with another credential, and says how it was given away.
func (s *Suite) reader(name string, of download, who *deployment.Credential) *spec.Observation[reading] {
	return s.readerWith(name, of, nil, func() *deployment.Credential { return who })
}

// readerWith is reader with a credential that is made when it is needed, and of what.
func (s *Suite) readerWith(name string, of download, how *curl.Alteration, who func() *deployment.Credential,
) *spec.Observation[reading] {
	s.Uses(of)
	return spec.Observe(s.Plan, name, act(func(l look) reading {
		own := l.sheet(of)
		if _, ok := l.rowsIfAny(of); !ok && of != s.plain.window {
			return reading{} // its owner did not get it, and the other check says so
		}
		if err := own.usable(); err != nil && own.fileID == "" || own.fault != nil {
			l.unclear("the owner could not fetch the file either, so nothing can be said about others: %v", err)
		}
		// Wherever a browser of that reader would be sent counts: what the address refuses was not given.
		x, elsewhere := s.t.Client.Reach(l, own.fileID, who(), how)
		l.end(s.t.Usable(l, x))
		found := given(l, own, x)
		if found != "" && elsewhere {
			found += ", by its link"
		}
		return reading{found, x.Seq}
	}))
}

// given says how an answer gives the file away, and nothing when it does not.
func given(l look, own *sheet, x *client.Exchange) string {
	switch {
	case x.Refusal():
		return ""
	case !x.Success():
		l.unclear("neither the file nor a refusal: %s", target.Describe(x))
	case strings.Contains(x.Header.Get("Content-Type"), "html") && !strings.Contains(own.fetched.MediaType, "html"):
		l.unclear("a page instead of the file or a refusal: %s", target.Describe(x))
	}
	_, isJSON := members(x)
	if own.fetched.Size > 0 && (sha256.Sum256(x.Body) == own.fetched.Sum || !isJSON && len(x.Body) > 0) {
		return fmt.Sprintf("%s, with %d bytes of the file", target.Describe(x), len(x.Body))
	}
	return "" // a 2xx that holds no file, such as an error inside
}
