package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/matchers"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// files: the file that comes of an export.
func (s *suite) files() {
	s.windows()
	s.retrievable()
	s.readable()
	s.columns()
	s.duplicates()
	s.readers()
}

// started waits for the first export, which must have been accepted for anything to be said about its file.
func (s *suite) started(ctx context.Context) *sheet {
	sh := s.first.Await(ctx)
	if sh.refused {
		s.p.GiveUp(sh.usable())
	}
	return sh
}

func (s *suite) readable() {
	judge := func(name string, o *seen) {
		s.p.It("export.file.csv", name, spec.After(o), func(ctx context.Context) {
			sh := o.Await(ctx)
			if sh.refused || sh.fault != nil {
				s.p.GiveUp(sh.usable())
			}
			found := ""
			switch {
			case sh.blank():
				s.p.Inconclusive("the file is empty, which is no table; see export.file.columns")
			case sh.broken != nil:
				found = s.shown(sh.broken.Error())
			}
			Expect(found).To(beNothing("the file is no well-formed CSV", "a header and rows of as many fields, quotes closed"))
		})
	}
	// CSV means that each row has the fields of the header, and that what could be taken for a separator is quoted.
	judge("the file of an export", s.first)
	// This is so for every file, whichever rows it holds.
	if s.t.Deployment.Fixtures.Window != nil {
		judge("the file in rising order", s.createdAsc)
		judge("the file by settled_date", s.settled)
	}
}

func (s *suite) duplicates() {
	// Each quote is one row.
	s.p.It("export.file.no_duplicates", "the files of the window", spec.After(s.first, s.settled), func(ctx context.Context) {
		failed := 0
		var first []statement.Quote
		files := []*sheet{s.first.Await(ctx)}
		if sh, ok := s.settled.Settled(ctx); ok && sh.usable() == nil {
			files = append(files, sh)
		}
		for _, sh := range files {
			if err := sh.usable(); err != nil {
				s.p.GiveUp(err)
			}
			if !sh.table.Has(statement.ID) {
				s.p.NotVerified("export.csv.columns.id", "no column of the file is known to hold the quote's ID, and two quotes may look the same otherwise")
			}
			if again := statement.Duplicates(sh.table.Quotes()); len(again) > 0 {
				if failed++; failed == 1 {
					first = again
				}
			}
		}
		s.p.Attempts(len(files), failed)
		Expect(matchers.Rows{Export: "the export of the window", Should: "each quote once", Held: len(files[0].table.Quotes()), Extra: first}).
			To(matchers.HoldItsRows())
	})
}

// readers: who else can fetch the file.
func (s *suite) readers() {
	fetch := func(name string, cred *deployment.Credential) *spec.Observation[string] {
		return spec.Observe(s.p, name, func(ctx context.Context) (string, error) {
			own, err := s.first.Get(ctx)
			if err != nil {
				return "", err
			}
			if err := own.usable(); err != nil && own.fileID == "" || own.fault != nil {
				return "", spec.Unclear("the owner could not fetch the file either, so nothing can be said about others: %v", err)
			}
			// Wherever a browser of that reader would be sent counts: what the address refuses was not given.
			x, elsewhere := s.t.Client.Reach(ctx, own.fileID, cred)
			if err := s.t.Usable(ctx, x); err != nil {
				return "", err
			}
			found, err := s.given(own, x)
			if found != "" && elsewhere {
				found += ", at the address that the answer leads to"
			}
			return found, err
		})
	}
	other := fetch("the file, as another user", s.t.Deployment.Credentials.OtherUser)
	nobody := fetch("the file, without a credential", nil)

	// The file is its owner's.
	s.p.It("export.file.private", "another user fetches the file", spec.After(other, s.first), func(ctx context.Context) {
		Expect(other.Await(ctx)).To(beNothing("another user got at the file", "a 4xx"))
	})
	// Every request authenticates, this one too.
	s.p.It("export.file.authenticated", "nobody in particular fetches the file", spec.After(nobody, s.first), func(ctx context.Context) {
		Expect(nobody.Await(ctx)).To(beNothing("the file was given without authentication", "a 4xx"))
	})
}

// given says how an answer gives the file away, and nothing when it does not.
func (s *suite) given(own *sheet, x *client.Exchange) (string, error) {
	switch {
	case x.Refusal():
		return "", nil
	case !x.Success():
		return "", spec.Unclear("neither the file nor a refusal: %s", target.Describe(x))
	}
	_, isJSON := members(target.Answer{Exchange: x})
	if strings.Contains(x.Header.Get("Content-Type"), "html") && !strings.Contains(own.fetched.MediaType, "html") {
		return "", spec.Unclear("a page instead of the file or a refusal: %s", target.Describe(x))
	}
	if len(own.fetched.Bytes) > 0 && (bytes.Equal(x.Body, own.fetched.Bytes) || !isJSON && len(x.Body) > 0) {
		return fmt.Sprintf("%s, with %d bytes of the file", target.Describe(x), len(x.Body)), nil
	}
	return "", nil // a 2xx that holds no file, such as an error inside
}

// point follows a JSON pointer (RFC 6901) through objects.
func point(value any, pointer string) any {
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		switch inside := value.(type) {
		case map[string]any:
			value = inside[unescape.Replace(step)]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(inside) {
				return nil
			}
			value = inside[i]
		default:
			return nil
		}
	}
	return value
}

// states lists the states that the file was seen in.
func states(sh *sheet) string {
	var seen []string
	for _, st := range sh.fetched.States {
		seen = append(seen, st.Value)
	}
	return strings.Join(seen, ", ")
}

// ended waits for the first file; where it was never fetched the check ends.
func (s *suite) ended(ctx context.Context) *sheet {
	sh := s.first.Await(ctx)
	if err := sh.usable(); err != nil && (sh.refused || sh.fault != nil) {
		s.p.GiveUp(err)
	}
	return sh
}

// parsed waits for the first file that could be read; otherwise the check ends.
func (s *suite) parsed(ctx context.Context) *sheet {
	sh := s.ended(ctx)
	if sh.csv == nil || sh.broken != nil && !errors.Is(sh.broken, statement.ErrEmpty) {
		s.p.GiveUp(sh.usable())
	}
	return sh
}
