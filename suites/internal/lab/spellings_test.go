package lab_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/internal/answers"
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
