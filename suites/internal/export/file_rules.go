package export

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/internal/token"
	"github.com/gateassay/gateassay/suites/internal/answers"
	. "github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// declareFileRules declares the rules on the file of an export.
func (s *Suite) declareFileRules() {
	all := s.t.Deployment.Credentials
	s.Describe("file", func() {
		s.Rule("export.file.retrievable", Must, SectionExport,
			"The file can be fetched by its ID within the time that the deployment file states.",
			s.declareRetrievalRule)

		s.Rule("export.file.csv", Should, SectionExport, "The file is CSV that a strict reader accepts.",
			func() {
				s.itHasReadableRows("the file of an export", s.plain.window)
				if s.t.Deployment.Fixtures.Window != nil { // whichever rows it holds
					s.itHasReadableRows("the file by settled_date", s.plain.settled)
				}
			})

		s.Rule("export.file.again", Should, SectionExport,
			"A file that is fetched again by its ID holds the same quotes.",
			spec.NeedsKeys("fixtures.window"), func() { s.itKeepsItsFile() })

		s.Rule("export.file.distinct_rows", Should, SectionExport,
			"No quote is in two rows of a file, if IDs otherwise name single rows.",
			s.itRepeatsNoQuote)

		s.declareOwnRowsRule()

		s.Rule("export.file.private", Should, SectionAuthentication, "Another user cannot read the file.",
			spec.Security, spec.NeedsKeys("credentials.other_user"), func() {
				s.itIsRefusedTo("the file", s.plain.window,
					unwelcomeReader{by: "another user", who: all.OtherUser})
				if all.APIKey != nil { // it can read its owner's files
					s.itIsRefusedTo("the other user's file", s.plain.theirs,
						unwelcomeReader{by: "the API key", who: all.APIKey})
				}
			})

		s.Rule("export.file.authenticated", Should, SectionAuthentication,
			"The file cannot be fetched without authentication.", spec.Security, func() {
				s.itIsRefusedTo("the file", s.plain.window,
					unwelcomeReader{by: "a reader without a credential"})
				for _, r := range []unwelcomeReader{
					{with: "an expired token", who: all.ExpiredToken},
					{with: "an API key that was revoked", who: all.RevokedAPIKey},
					{with: "a token whose signature was changed", change: token.ChangedSignature()},
					{with: "an unsigned token (alg none)", change: token.Unsigned("none")},
				} {
					r.by = "a reader with " + r.with
					if r.who != nil || r.change != nil && all.PlatformToken != nil {
						s.itIsRefusedTo("the file", s.plain.window, r)
					}
				}
			})
	})
}

// unwelcomeReader is a reader who must not get a file: another credential, or the platform token
// after a change.
type unwelcomeReader struct {
	by     string
	with   string // the credential in words
	who    *deployment.Credential
	change token.Change
}

// itHasReadableRows declares a case that each row has the fields of the header, and that cells
// which contain a separator are quoted.
func (s *Suite) itHasReadableRows(name string, o exportObservation) {
	spec.Helper()
	s.UseObservations(o)
	s.It(name, func(ctx spec.Context) {
		done := o.Await(ctx)
		flaw := Flaw{
			Evidence: spec.Evidence{Repeat: done.repeatRequests(), Sign: reproscript.ExpectCSV{}},
		}
		switch {
		case done.refused, done.fault != nil:
			ctx.StopOnError(done.unusableReason())
		case done.isBlank():
			ctx.Inconclusivef("the file is empty, which is not a table")
		case done.broken != nil:
			// titles above the table and totals below are allowed
			flaw.Found = s.redactAndQuote(done.broken.Error())
		}
		ctx.Expect(flaw).To(BeFlawless("The file is not well-formed CSV",
			"a header and rows of as many fields, quotes closed"))
	})
}

// itRepeatsNoQuote declares a case that no file of the run repeats a quote. Where most IDs stand
// in several differing rows, such as a debit and a credit, an ID does not identify a row.
func (s *Suite) itRepeatsNoQuote() {
	s.UseObservations(s.plain.window)
	files := spec.ObserveAsCase(s.Plan, "the IDs in all files", s.repeatedQuotes, spec.PhaseLast)
	s.It("every file of the run", func(ctx spec.Context) {
		ctx.Expect(files.Await(ctx)).To(HoldForEveryAnswer("file", "each quote in one row"))
	})
}

// repeatedQuotes judges whether the files of the run repeat quotes.
func (s *Suite) repeatedQuotes(ctx spec.Context) (t RuleTally) {
	window, err := awaitUsable(ctx, s.plain.window)
	ctx.StopOnError(err)
	if !window.table.HasColumn(statement.ColumnID) {
		ctx.NotVerifiedf("export.csv.columns.id", "no column is known to hold the quote's ID")
	}
	all, unlike := 0, 0
	for _, done := range s.takenExports() {
		if done.unusableReason() != nil {
			continue
		}
		ids, repeated, differing := statement.RepeatedIDs(done.table.Quotes())
		all, unlike = all+ids, unlike+differing
		flaw := Flaw{}
		if len(repeated) > 0 {
			flaw.Found = fmt.Sprintf("%d of %d quotes in several rows", len(repeated), ids)
			flaw.Evidence = spec.Evidence{
				Repeat: done.repeatRequests(),
				Sign:   reproscript.ExpectRows{Once: repeated[:1]},
			}
		}
		t.AddAnswer(done.answer, flaw)
	}
	if 2*unlike > all {
		ctx.NotVerifiedf("", "most IDs stand in several rows that differ, so an ID names no single row")
	}
	return t
}

// itIsRefusedTo declares a case that a reader does not get a file.
func (s *Suite) itIsRefusedTo(name string, of exportObservation, r unwelcomeReader) {
	spec.Helper()
	s.UseObservations(of)
	read := spec.ObserveAsCase(s.Plan, name+", for "+r.by, func(ctx spec.Context) (read RuleTally) {
		own := of.Await(ctx)
		if of != s.plain.window && own.unusableReason() != nil {
			return read // its owner did not get it, which the other check reports
		}
		s.awaitFetchable(ctx)
		s.inconclusiveIfIDShared(ctx, own)
		who := r.who
		if r.change != nil {
			var err error
			who, err = target.Alter(s.t.Deployment.Credentials.PlatformToken, r.with, r.change)
			ctx.StopOnError(err)
		}
		// Follow redirects as this reader's browser would. A file that the last address refuses
		// was not given.
		hops, x, elsewhere := s.t.Client.FetchWithoutPolling(ctx, own.fileID, who)
		ctx.StopOnError(s.lab.TransientError(ctx, x))
		found := describeDisclosure(ctx, own, x)
		if found == "" {
			if y := s.downloadAs(ctx, own, r); y != nil {
				hops, x, elsewhere = []*client.Exchange{y}, y, true
				found = describeDisclosure(ctx, own, x)
			}
		}
		if found != "" {
			s.inconclusiveIfIDShared(ctx, own) // the ID may be shared by now
		}
		if found != "" && elsewhere {
			found += ", by its link"
		}
		shown := []spec.RepeatRequest{{Exchange: own.answer, FetchFile: true}}
		for i, hop := range hops { // the last one's refusal is fine only without the file
			shown = append(shown, spec.RepeatRequest{Exchange: hop, RefusalIsFixed: i < len(hops)-1})
		}
		refusal := reproscript.ExpectStatus{Right: []string{"4xx"}, Without: own.firstTitles()}
		read.AddAnswer(x,
			Flaw{Found: found, Evidence: spec.Evidence{Repeat: shown, Sign: refusal}})
		return read
	})
	s.It("refuses "+name+" to "+r.by, func(ctx spec.Context) {
		ctx.Expect(read.Await(ctx)).To(HoldForEveryAnswer(name+" was given to "+r.by, "a 4xx"))
	})
}

// downloadAs requests the address that a file came from as another user. It returns nil if that
// address needs no credential, as its user may pass it on.
func (s *Suite) downloadAs(
	ctx spec.Context, own *completedExport, r unwelcomeReader,
) *client.Exchange {
	if r.who == nil || r.who != s.t.Deployment.Credentials.OtherUser {
		return nil
	}
	open := s.t.Client.FetchDownload(ctx, own.fileID, own.fetched, nil)
	if open == nil || !open.IsClientError() {
		return nil
	}
	x := s.t.Client.FetchDownload(ctx, own.fileID, own.fetched, r.who)
	ctx.StopOnError(s.lab.TransientError(ctx, x))
	return x
}

// inconclusiveIfIDShared ends the act where another export got the same file ID, as it is
// unknown whose file that is.
func (s *Suite) inconclusiveIfIDShared(ctx spec.Context, own *completedExport) {
	shared := slices.ContainsFunc(s.takenExports(),
		func(o *completedExport) bool { return o.fileID == own.fileID && o.answer != own.answer })
	if shared && own.fileID != "" {
		stopForSharedID(ctx)
	}
}

func stopForSharedID(ctx spec.Context) {
	ctx.Inconclusivef("two exports have the same file_id, so their files cannot be told apart; see %s",
		"export.response.distinct_ids")
}

// describeDisclosure says how an answer discloses the file. It returns "" if it does not.
func describeDisclosure(ctx spec.Context, own *completedExport, x *client.Exchange) string {
	titles := own.firstTitles()
	switch {
	case x.IsClientError() && titles != "" && bytes.Contains(x.Body, []byte(titles)):
		return fmt.Sprintf("%s, with the file after the refusal", answers.Describe(x))
	case x.IsClientError():
		return ""
	case !x.IsSuccess():
		ctx.Inconclusivef("neither the file nor a refusal: %s", answers.Describe(x))
	case strings.Contains(x.Header.Get("Content-Type"), "html") &&
		!strings.Contains(own.fetched.MediaType, "html"):
		ctx.Inconclusivef("a page instead of the file or a refusal: %s", answers.Describe(x))
	}
	_, _, isJSON := answers.UnwrapExportAnswer(x)
	if own.fetched.Size > 0 &&
		(sha256.Sum256(x.Body) == own.fetched.Sum || !isJSON && len(x.Body) > 0) {
		return fmt.Sprintf("%s, with %d bytes of the file", answers.Describe(x), len(x.Body))
	}
	return "" // a 2xx without a file, such as an error in its body
}

// firstTitles returns the first two titles of the file as they stand in it, or nothing.
func (e *completedExport) firstTitles() string {
	if e.csv == nil || len(e.csv.Columns) < 2 {
		return ""
	}
	return strings.Join(e.csv.Columns[:2], string(e.csv.Dialect.Delimiter))
}
