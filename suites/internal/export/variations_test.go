package export_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/internal/suitetest"
	"github.com/gateassay/gateassay/suites/record"
)

// refusing answers exports with a status where their fields are refused.
func refusing(
	status int, refused func(fields map[string]any) bool,
) func(http.Handler) http.Handler {
	return suitetest.Before(func(w http.ResponseWriter, r *http.Request) bool {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		var fields map[string]any
		if json.Unmarshal(body, &fields) != nil || fields == nil || !refused(fields) {
			return false
		}
		w.WriteHeader(status)
		return true
	})
}

func startsAfterEnd(fields map[string]any) bool {
	start, _ := fields["date_start"].(string)
	end, _ := fields["date_end"].(string)
	from, starts := time.Parse(time.RFC3339Nano, start)
	until, ends := time.Parse(time.RFC3339Nano, end)
	return starts == nil && ends == nil && from.After(until)
}

// exchanged swaps a start and an end where the start is later.
func exchanged(_ *http.Request, body []byte) []byte {
	var f map[string]any
	if json.Unmarshal(body, &f) == nil && startsAfterEnd(f) {
		f["date_start"], f["date_end"] = f["date_end"], f["date_start"]
		body, _ = json.Marshal(f)
	}
	return body
}

func hasOffset(fields map[string]any) bool {
	start, _ := fields["date_start"].(string)
	end, _ := fields["date_end"].(string)
	return strings.Count(start, ":") == 3 || strings.Count(end, ":") == 3
}

func nullAsEmpty(_ *http.Request, body []byte) []byte {
	if string(body) == "null" {
		return []byte("{}")
	}
	return body
}

// Deviations that the document allows fail only rules of level should.
func TestWhatIsOnlyExpectedIsNoViolation(t *testing.T) {
	for rule, wrap := range map[string]func(http.Handler) http.Handler{
		"export.range.start_after_end": suitetest.EditBodies(exchanged),
		"export.range.offset.accepted": refusing(http.StatusUnprocessableEntity, hasOffset),
		"export.body.null":             suitetest.EditBodies(nullAsEmpty),
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			j := judgeBehind(t, reference.Options{}, wrap, nil)
			failOnly(t, j, rule)
			for _, r := range j.Plan.Catalogue() {
				if r.ID == rule && (r.Level != rules.Should || r.Security) {
					t.Errorf("%s is %s, security %v", rule, r.Level, r.Security)
				}
			}
		})
	}
}

// A start after the end may be refused. A server error is neither a file without rows nor a
// refusal.
func TestAStartAfterTheEnd(t *testing.T) {
	for status, want := range map[int]record.Verdict{
		http.StatusBadRequest: record.VerdictPass, http.StatusInternalServerError: record.VerdictFail,
	} {
		judgeBehind(t, reference.Options{}, refusing(status, startsAfterEnd), nil,
			"export.range.start_after_end").ExpectVerdicts(t, want)
	}
}

// What only a range that ends where it starts could show stays open where such ranges are refused,
// and the window is not blamed.
func TestRefusedRangesThatEndWhereTheyStart(t *testing.T) {
	t.Parallel()
	endsAtStart := func(fields map[string]any) bool {
		return fields["date_start"] != nil && fields["date_start"] == fields["date_end"]
	}
	j := judgeBehind(t, reference.Options{}, refusing(http.StatusBadRequest, endsAtStart), nil,
		"export.range.empty")
	j.ExpectVerdicts(t, record.VerdictNotVerified)
	for _, r := range j.Checks {
		testmust.Equal(t, r.MissingKey, "", r.Name)
		testmust.Contain(t, r.Message, "ends where it starts is refused", r.Name)
	}
}

// A variation that is refused alone is refused in every context, which is one finding.
func TestOneRefusedVariationIsOneFinding(t *testing.T) {
	for name, refused := range map[string]func(f map[string]any) bool{
		"type_extension": func(f map[string]any) bool { return f["type_extension"] == "CSV" },
		"the filter":     func(f map[string]any) bool { return f["filter_type"] == "client_id" },
		"a start alone": func(f map[string]any) bool {
			return f["date_start"] != nil && f["date_end"] == nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := judgeBehind(t, reference.Options{}, refusing(http.StatusUnprocessableEntity, refused), nil)
			failOnly(t, j, "export.success")
			for _, r := range j.Checks {
				if r.Verdict == record.VerdictInconclusive && !strings.Contains(r.Message, "export.success") {
					t.Errorf("%s: %s", r.Rule, r.Message)
				}
			}
		})
	}
}

func TestWhatIsNoGatewayIsNotAccused(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"nothing there": http.NotFound,
		"another method": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusMethodNotAllowed)
		},
		"a web page": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, "<!doctype html><title>Sign in</title>")
		},
	} {
		t.Run(name, func(t *testing.T) {
			j := judgeBehind(t, reference.Options{}, func(http.Handler) http.Handler { return answer }, nil)
			j.ExpectVerdicts(t, record.VerdictPass, record.VerdictObserved, record.VerdictNotVerified,
				record.VerdictInconclusive)
			testmust.Contain(t, j.Explain(record.VerdictInconclusive),
				"check base_url", "nothing says what to check")
		})
	}
}

// One request that gets 404 while others are accepted does not mean a wrong address.
func TestOneExportThatIsNotFoundIsARefusal(t *testing.T) {
	isEmpty := func(f map[string]any) bool { return len(f) == 0 }
	j := judgeBehind(t, reference.Options{}, refusing(http.StatusNotFound, isEmpty), nil,
		"export.success")
	testmust.Contain(t, j.Explain(record.VerdictFail), "an empty object")
}

// A filter text that names no client may be refused, but must get no server error.
func TestFreeTexts(t *testing.T) {
	isSpecial := func(f map[string]any) bool {
		text, _ := f["filter_text"].(string)
		return strings.Contains(text, "O'Brien") || strings.Contains(text, "Conceição")
	}
	for status, want := range map[int][]record.Verdict{
		404: {record.VerdictPass}, 500: {record.VerdictPass, record.VerdictFail},
	} {
		judgeBehind(t, reference.Options{}, refusing(status, isSpecial), nil, "export.success").
			ExpectVerdicts(t, want...)
	}
}

// A refused export with no part that is refused elsewhere is a separate finding.
func TestARefusalThatNothingExplainsIsAFinding(t *testing.T) {
	refused := func(f map[string]any) bool {
		return f["sort"] == nil && f["order"] == "asc" && f["date_start"] != nil
	}
	j := judgeBehind(t, reference.Options{}, refusing(http.StatusBadRequest, refused), nil)
	failOnly(t, j, "export.success")
	testmust.Contain(t, j.Explain(record.VerdictFail), "order asc")
}

// Where exports need a type_extension, an empty object is refused for lack of it, and other
// fields are not blamed.
func TestAFieldThatIsMissingIsNoFaultOfAnother(t *testing.T) {
	const rule = "export.success"
	lacksExtension := func(f map[string]any) bool { return f["type_extension"] == nil }
	o := judgeBehind(t, reference.Options{}, refusing(http.StatusBadRequest, lacksExtension), nil, rule)
	failOnly(t, o, rule)
	for _, c := range o.Checks {
		if c.Verdict == record.VerdictFail && c.Name != "accepts an export with an empty object" {
			t.Errorf("%s: %s", c.Name, c.Message)
		}
	}
}
