package control_test

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

func TestTheAcceptedSpellingIsFollowed(t *testing.T) {
	phone := func(s sent, prefix string) bool { return strings.HasPrefix(s.text("phone_number"), prefix) }
	noEnd := func(s sent) bool { return s.body["relationship_end_date"] == nil }
	dash := func(s sent) bool { zip := fmt.Sprint(s.address("zip_code")); return len(zip) == 9 && zip[5] == '-' }
	text := func(s sent) bool { return s.address("number") == "120" }
	for i, c := range []struct {
		name    string
		accepts func(sent) bool
		tries   int // requests until then, the plain one included
	}{
		{"qualification OTHER", func(s sent) bool { return strings.Contains(fmt.Sprint(s.body), "OTHER") }, 2},
		{"preferred language pt-BR", func(s sent) bool { return s.header.Get("x-lang") == "pt-BR" }, 3},
		{"no CPF", func(s sent) bool { return !strings.Contains(fmt.Sprint(s.body["document"]), "number:") }, 4},
		{"phone number of digits only", func(s sent) bool { return phone(s, "55119") }, 5},
		{"phone number without the country", func(s sent) bool { return phone(s, "119") }, 6},
		{"phone number as (11) 91234-5678", func(s sent) bool {
			return regexp.MustCompile(`^\(11\) 9\d{4}-\d{4}$`).MatchString(s.text("phone_number"))
		}, 7},
		{"no end of the relationship", func(s sent) bool { return noEnd(s) && phone(s, "+55") }, 8},
		{"ZIP code with a dash", dash, 9},
		{"country of two letters", func(s sent) bool { return s.address("country") == "BR" }, 10},
		{"street number as text", text, 11},
		{
			"phone number of digits only, no end of the relationship",
			func(s sent) bool { return phone(s, "55119") && noEnd(s) }, 12,
		},
		{
			"phone number without the country, no end of the relationship, ZIP code with a dash, street number as text",
			func(s sent) bool { return phone(s, "119") && text(s) && noEnd(s) && dash(s) }, 57,
		},
	} {
		refusal := []int{http.StatusBadRequest, http.StatusUnprocessableEntity}[i%2]
		built, subject, d := controls(t, fixtures, func(s sent) (int, string) {
			if c.accepts(s) {
				return 201, created
			}
			return refusal, ""
		})
		x, err := built.Creation.Get(t.Context())
		if err != nil || subject.Spelling() != c.name || x.Creation.Label != "valid creation, "+c.name {
			t.Errorf("%s: %v, spelling %q, sent %v", c.name, err, subject.Spelling(), x)
			continue
		}
		fresh := map[string]bool{}
		for _, s := range d.seen() {
			fresh[s.header.Get("X-Transaction-Uuid")+s.header.Get("Nonce")+s.text("email")] = true
		}
		if len(d.seen()) != c.tries || len(fresh) != c.tries {
			t.Errorf("%s: %d requests, %d with identifiers of their own", c.name, len(d.seen()), len(fresh))
		}
		if later := subject.Create(t.Context(), func() target.Creation { return subject.Creation("later") }); later.Status != 201 {
			t.Errorf("%s: a later creation got %s", c.name, target.Describe(later))
		}
	}
}

func TestSpellingsAnswerNothingButABadRequest(t *testing.T) {
	const suspects = "legal_representative.headers.transaction_id (not given), " +
		"legal_representative.headers.nonce (not given), legal_representative.fields (not given), " +
		"legal_representative.field_types (not given), fixtures.shareholder_id, " +
		"fixtures.product_id (not given)"
	for status, check := range map[int]string{
		302: suspects, 401: "credentials.platform_token", 403: suspects,
		404: "legal_representative.path, fixtures.shareholder_id", 409: suspects,
	} {
		c, subject, d := controls(t, fixtures, always(status, `{"error":{"message":"in its words"}}`))
		_, err := c.Creation.Get(t.Context())
		want := fmt.Sprintf("a valid creation was not accepted (%d %s: in its words), so nothing can be said about "+
			"creations; check %s", status, http.StatusText(status), check)
		if !errors.Is(err, spec.ErrInconclusive) || err.Error() != want || len(d.seen()) != 1 || subject.Spelling() != "" {
			t.Errorf("after %d requests, spelling %q, got\n%v\nwant\n%s", len(d.seen()), subject.Spelling(), err, want)
		}
	}
}

// The key that the deployment's own words name is blamed alone.
func TestTheKeyThatARefusalNamesIsBlamed(t *testing.T) {
	for key, c := range map[string]struct{ headers, words string }{
		"legal_representative.headers.transaction_id": {"transaction_id: x-transaction-id", "x-transaction-uuid"},
		"legal_representative.headers.nonce":          {"nonce: x-nonce", "nonce"},
	} {
		built, _, _ := controls(t, fixtures+"legal_representative: {headers: {"+c.headers+"}}\n",
			always(400, `{"message":"`+c.words+`: this header is required"}`))
		_, err := built.Creation.Get(t.Context())
		want := "a valid creation was not accepted; check " + key + ": the deployment expects the header " +
			c.words + ": write its name here. It got 400 Bad Request: " + c.words + ": this header is required"
		if err == nil || err.Error() != want || errors.Is(err, spec.ErrInconclusive) == errors.Is(err, spec.ErrTransient) {
			t.Errorf("got\n%v\nwant\n%s", err, want)
		}
	}
}

// When no spelling helps, the first refusal is told, with all that may be the reason.
func TestNoSpellingHelps(t *testing.T) {
	n := 0
	c, subject,
		d := controls(t, fixtures+"legal_representative: {headers: {nonce: x-nonce}, fields: {name: full_name}}\n",
		func(sent) (int, string) {
			if n++; n == 1 {
				return 422, ""
			}
			return 400, ""
		})
	_, err := c.Creation.Get(t.Context())
	want := "a valid creation was not accepted (422 Unprocessable Entity), so nothing can be said about creations; check " +
		"legal_representative.headers.transaction_id (not given), legal_representative.headers.nonce, legal_representative.fields, " +
		"legal_representative.field_types (not given), fixtures.shareholder_id, fixtures.product_id (not given)"
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if len(d.seen()) != 67 || subject.Spelling() != "" {
		t.Errorf("%d requests, spelling %q", len(d.seen()), subject.Spelling())
	}
	// A spelling that is answered otherwise ends the search.
	n = 0
	c, _, d = controls(t, fixtures, func(sent) (int, string) {
		if n++; n == 1 {
			return 400, ""
		}
		return 403, ""
	})
	if _, err := c.Creation.Get(t.Context()); !errors.Is(err, spec.ErrInconclusive) || len(d.seen()) != 2 {
		t.Errorf("%v after %d requests", err, len(d.seen()))
	}
}

// A refused variation is one finding: all further exports do without it.
func TestExportsFollowWhatIsAccepted(t *testing.T) {
	c, subject, d := controls(t, "", func(s sent) (int, string) {
		if strings.Contains(s.text("date_start"), ".") || s.body["type_extension"] != "CSV" {
			return 422, ""
		}
		return 200, "{}"
	})
	if _, err := c.Export.Get(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := subject.ExportSpelling().String(); got != "bounds in whole seconds, type_extension" {
		t.Errorf("sent with %q", got)
	}
	if x, alive := c.ExportAlive(t.Context()); !alive {
		t.Errorf("%s after %v", target.Describe(x), d.seen())
	}
}
