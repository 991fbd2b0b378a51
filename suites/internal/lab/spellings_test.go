package lab_test

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/target"
)

func TestTheAcceptedSpellingIsFollowed(t *testing.T) {
	phone := func(s sent, prefix string) bool {
		return strings.HasPrefix(s.text("phone_number"), prefix)
	}
	noEnd := func(s sent) bool { return s.body["relationship_end_date"] == nil }
	dash := func(s sent) bool {
		zip := fmt.Sprint(s.address("zip_code"))
		return len(zip) == 9 && zip[5] == '-'
	}
	text := func(s sent) bool { return s.address("number") == "120" }
	for i, c := range []struct {
		name    string
		accepts func(sent) bool
		tries   int // requests until then, including the plain one
	}{
		{"qualification OTHER", func(s sent) bool {
			return strings.Contains(fmt.Sprint(s.body), "OTHER")
		}, 2},
		{"preferred language pt-BR", func(s sent) bool { return s.header.Get("x-lang") == "pt-BR" }, 3},
		{"no CPF", func(s sent) bool {
			return !strings.Contains(fmt.Sprint(s.body["document"]), "number:")
		}, 4},
		{"flags that are true", func(s sent) bool {
			return s.body["pep"] == true && s.body["is_public_server"] == true
		}, 5},
		{"phone number of digits only", func(s sent) bool { return phone(s, "55119") }, 6},
		{"phone number without the country", func(s sent) bool { return phone(s, "119") }, 7},
		{"phone number as (11) 91234-5678", func(s sent) bool {
			return regexp.MustCompile(`^\(11\) 9\d{4}-\d{4}$`).MatchString(s.text("phone_number"))
		}, 8},
		{"no end of the relationship", func(s sent) bool { return noEnd(s) && phone(s, "+55") }, 9},
		{"ZIP code with a dash", dash, 10},
		{"country of two letters", func(s sent) bool { return s.address("country") == "BR" }, 11},
		{"street number as text", text, 12},
		{
			"phone number of digits only, no end of the relationship",
			func(s sent) bool { return phone(s, "55119") && noEnd(s) }, 13,
		},
		{
			"phone number without the country, no end of the relationship, ZIP code with a dash, street " +
				"number as text",
			func(s sent) bool { return phone(s, "119") && text(s) && noEnd(s) && dash(s) }, 58,
		},
	} {
		refusal := []int{http.StatusBadRequest, http.StatusUnprocessableEntity}[i%2]
		built, subject, d := controls(t, fixtures, func(s sent) (int, string) {
			if c.accepts(s) {
				return 201, created
			}
			return refusal, ""
		})
		x, err := built.ControlCreation.Get(t.Context())
		if err != nil || subject.CreationSpelling.Load().String() != c.name ||
			x.Sent.Label != "valid creation, "+c.name {
			t.Errorf("%s: %v, spelling %q, sent %v", c.name, err, subject.CreationSpelling.Load().String(),
				x)
			continue
		}
		fresh := map[string]bool{}
		for _, s := range d.seen() {
			fresh[s.header.Get("X-Transaction-Uuid")+s.header.Get("Nonce")+s.text("email")] = true
		}
		testmust.Equal(t, len(d.seen()), c.tries, c.name)
		testmust.Equal(t, len(fresh), c.tries, c.name)
		if later := subject.Send(t.Context(),
			func() target.Request { return subject.NewCreation("later") }); later.Status != 201 {
			t.Errorf("%s: a later creation got %s", c.name, answers.Describe(later))
		}
	}
}

func TestSpellingsAnswerNothingButABadRequest(t *testing.T) {
	for _, status := range []int{302, 401, 403, 404, 409} {
		c, subject, d := controls(t, fixtures, always(status, `{"error":{"message":"in its words"}}`))
		_, err := c.ControlCreation.Get(t.Context())
		want := fmt.Sprintf(
			"a valid creation was not accepted (%d %s: in its words), so no rule about "+
				"creations can be judged; run gateassay doctor",
			status, http.StatusText(status))
		if !unsure(err) || err.Error() != want || len(d.seen()) != 1 ||
			subject.CreationSpelling.Load().String() != "" {
			t.Errorf("after %d requests, spelling %q, got\n%v\nwant\n%s", len(d.seen()),
				subject.CreationSpelling.Load().String(), err, want)
		}
	}
}

// Where no spelling helps, the first refusal is reported. Any other refusal ends the search.
func TestNoSpellingHelps(t *testing.T) {
	for later, requests := range map[int]int{400: 68, 403: 2} {
		n := 0
		c, subject, d := controls(t, fixtures, func(sent) (int, string) {
			if n++; n == 1 {
				return 422, ""
			}
			return later, ""
		})
		_, err := c.ControlCreation.Get(t.Context())
		if !unsure(err) || !strings.Contains(err.Error(), "(422 Unprocessable Entity)") ||
			len(d.seen()) != requests || subject.CreationSpelling.Load().String() != "" {
			t.Errorf("%v after %d requests, spelling %q", err, len(d.seen()),
				subject.CreationSpelling.Load().String())
		}
	}
}

// A refused variation is one finding, and all further exports avoid it.
func TestExportsFollowWhatIsAccepted(t *testing.T) {
	c, subject, d := controls(t, "", func(s sent) (int, string) {
		if strings.Contains(s.text("date_start"), ".") || s.body["type_extension"] != "CSV" {
			return 422, ""
		}
		return 200, "{}"
	})
	testmust.Get(c.ControlExport.Get(t.Context()))(t)
	if got := subject.ExportSpelling.Load().String(); got != "bounds in whole seconds, "+
		"type_extension" {
		t.Errorf("sent with %q", got)
	}
	if x, alive := c.SendLivenessProbe(t.Context(), client.OperationExport); !alive {
		t.Errorf("%s after %v", answers.Describe(x), d.seen())
	}
}

const (
	product     = "9d1c7c1e-6a3c-4b52-8f0e-5d8a1f2b3c4d"
	withProduct = "fixtures: {shareholder_id: 1b4e28ba-2fa1-41d2-883f-0016d3cca427, product_id: " +
		product + "}\n"
	productField = "X-Product-Uuid"
)

// accepting refuses requests until one names the product.
func accepting(refusal int) func(sent) (int, string) {
	return func(s sent) (int, string) {
		switch {
		case s.header.Get(productField) != product:
			return refusal, ""
		case strings.HasSuffix(s.path, "exports"):
			return 202, `{"file_id":"f"}`
		}
		return 201, created
	}
}

// A product is named however a missing one is refused, and together with any other spelling.
func TestAProductIsNamedBesideOtherSpellings(t *testing.T) {
	const digits, named, both = "phone number of digits only", "a product named",
		"a product named, phone number of digits only"
	for name, c := range map[string]struct {
		plain, digits, named, both int // statuses of the spellings
		accepted                   string
		requests                   int
	}{
		"a missing product is a bad request":                    {422, 422, 201, 201, named, 2},
		"it does not help":                                      {422, 422, 422, 422, "", 70},
		"a missing product is forbidden":                        {403, 403, 201, 201, named, 2},
		"it is forbidden, and the phone number is bad":          {403, 403, 422, 201, both, 7},
		"both are bad":                                          {400, 400, 400, 201, both, 12},
		"the product is forbidden, and the phone number is bad": {400, 201, 403, 403, digits, 7},
		"everything is forbidden":                               {403, 403, 403, 403, "", 2},
		"without a product forbidden, with it never right":      {403, 403, 400, 400, "", 69},
	} {
		built, subject, d := controls(t, withProduct, func(s sent) (int, string) {
			statuses := []int{c.plain, c.digits}
			if s.header.Get(productField) == product {
				statuses = []int{c.named, c.both}
			}
			if strings.HasPrefix(s.text("phone_number"), "55119") {
				return statuses[1], created
			}
			return statuses[0], created
		})
		_, err := built.ControlCreation.Get(t.Context())
		if (err == nil) != (c.accepted != "") || subject.CreationSpelling.Load().String() != c.accepted ||
			len(d.seen()) != c.requests {
			t.Errorf("%s: %v after %d requests, spelling %q", name, err, len(d.seen()),
				subject.CreationSpelling.Load().String())
		}
	}
}

func TestAnExportNamesTheProductWhereItHelps(t *testing.T) {
	for _, refusal := range []int{400, 403, 422} {
		c, subject, d := controls(t, withProduct, accepting(refusal))
		x, err := c.ControlExport.Get(t.Context())
		if err != nil || x.Status != 202 || len(d.seen()) != 2 ||
			!subject.ExportSpelling.Load().Product || d.seen()[1].header.Get(productField) != product {
			t.Fatalf("%d: %v after %d requests", refusal, err, len(d.seen()))
		}
		a, err := c.SendInConfigurations(t.Context(), lab.Probe{Operation: client.OperationExport})
		if err != nil || a.Status != 202 || len(d.seen()) != 3 ||
			d.seen()[2].header.Get(productField) != product {
			t.Errorf("%d: a check's export: %v, %s", refusal, err, answers.Describe(a.Exchange))
		}
	}
	// Where it does not help, the product is not named again, and the first refusal is reported.
	n := 0
	c, subject, d := controls(t, withProduct, func(sent) (int, string) {
		if n++; n == 1 {
			return 403, ""
		}
		return 422, ""
	})
	_, err := c.ControlExport.Get(t.Context())
	if !unsure(err) || !strings.Contains(err.Error(), "403 Forbidden") || len(d.seen()) != 6 ||
		subject.ExportSpelling.Load().Product || subject.RequiredProduct() != "" {
		t.Errorf("%v after %d requests, product %q", err, len(d.seen()), subject.RequiredProduct())
	}
	// Other refusals are no reason to name a product, nor is there one where none is given.
	for _, status := range []int{401, 404, 409} {
		c, _, d := controls(t, withProduct, accepting(status))
		if _, err := c.ControlExport.Get(t.Context()); !unsure(err) || len(d.seen()) != 1 {
			t.Errorf("%d: %v after %d requests", status, err, len(d.seen()))
		}
	}
	c, _, d = controls(t, fixtures, accepting(403))
	if _, err := c.ControlExport.Get(t.Context()); !unsure(err) || len(d.seen()) != 1 {
		t.Errorf("without a product: %v after %d requests", err, len(d.seen()))
	}
}

// Token and key are one user's only where both get a file and strangers do not.
func TestAFileShowsWhetherTokenAndKeyShareAUser(t *testing.T) {
	const token, key, other = "main-token-0123456789", "key-0123456789", "other-token-0123456789"
	const given = "{platform_token: " + token + ", api_key: " + key + ", other_user: {bearer: " +
		other + "}}\nexport: {file: {request: 'GET /files/{file_id}'}}\n"
	for _, c := range []struct {
		what    string
		readers []string // of the file; "": anybody
		share   bool
	}{
		{"both get it", []string{token, key}, true},
		{"the key does not", []string{token}, false},
		{"nobody does", nil, false},
		{"another user does, too", []string{token, key, other}, false},
		{"anybody does", []string{token, key, other, ""}, false},
	} {
		built, _, _ := controls(t, "credentials: "+given, func(s sent) (int, string) {
			who := cmp.Or(strings.TrimPrefix(s.header.Get("Authorization"), "Bearer "),
				s.header.Get("X-Api-Key"))
			switch {
			case strings.HasSuffix(s.path, "exports"):
				return 202, `{"file_id":"f"}`
			case slices.Contains(c.readers, who):
				return 200, "id\n"
			}
			return 403, ""
		})
		if share, err := built.TokenAndKeyShareUser(t.Context()); share != c.share || err != nil {
			t.Errorf("%s: %v, %v", c.what, share, err)
		}
	}
}
