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
	"github.com/gateassay/gateassay/suites/record"
)

// rebodied changes the bodies of exports. A status other than 0 answers them directly.
func rebodied(change func(body []byte) ([]byte, int)) func(http.Handler) http.Handler {
	return func(gateway http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			body, status := change(body)
			if status != 0 {
				w.WriteHeader(status)
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			gateway.ServeHTTP(w, r)
		})
	}
}

// exchanged swaps a start and an end where the start is later.
func exchanged(body []byte) ([]byte, int) {
	var f map[string]any
	if json.Unmarshal(body, &f) != nil {
		return body, 0
	}
	start, _ := f["date_start"].(string)
	end, _ := f["date_end"].(string)
	from, starts := time.Parse(time.RFC3339Nano, start)
	until, ends := time.Parse(time.RFC3339Nano, end)
	if starts == nil && ends == nil && from.After(until) {
		f["date_start"], f["date_end"] = end, start
		body, _ = json.Marshal(f)
	}
	return body, 0
}

func offsetsRefused(body []byte) ([]byte, int) {
	var f map[string]any
	if json.Unmarshal(body, &f) == nil {
		for _, name := range []string{"date_start", "date_end"} {
			if at, _ := f[name].(string); strings.Count(at, ":") == 3 {
				return nil, http.StatusUnprocessableEntity
			}
		}
	}
	return body, 0
}

func nullAsEmpty(body []byte) ([]byte, int) {
	if string(body) == "null" {
		return []byte("{}"), 0
	}
	return body, 0
}

// Deviations that the document allows fail only rules of level should.
func TestWhatIsOnlyExpectedIsNoViolation(t *testing.T) {
	for rule, change := range map[string]func(body []byte) ([]byte, int){
		"export.range.start_after_end": exchanged, "export.range.offset.accepted": offsetsRefused,
		"export.body.null": nullAsEmpty,
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			j := judgeBehind(t, reference.Options{}, rebodied(change), nil)
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
		j := judgeBehind(t, reference.Options{}, rebodied(func(body []byte) ([]byte, int) {
			if changed, _ := exchanged(body); !bytes.Equal(changed, body) {
				return nil, status
			}
			return body, 0
		}), nil, "export.range.start_after_end")
		j.ExpectVerdicts(t, want)
	}
}

// A variation that is refused alone is refused in every context, which is one finding.
func TestOneRefusedVariationIsOneFinding(t *testing.T) {
	is := func(field, value string) func(map[string]any) bool {
		return func(f map[string]any) bool { return f[field] == value }
	}
	for name, refused := range map[string]func(f map[string]any) bool{
		"type_extension": is("type_extension", "CSV"),
		"the filter":     is("filter_type", "client_id"),
		"a start alone": func(f map[string]any) bool {
			return f["date_start"] != nil && f["date_end"] == nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := judgeBehind(t, reference.Options{}, rebodied(func(body []byte) ([]byte, int) {
				var f map[string]any
				if json.Unmarshal(body, &f) == nil && f != nil && refused(f) {
					return nil, http.StatusUnprocessableEntity
				}
				return body, 0
			}), nil)
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
			if reason := j.Explain(record.VerdictInconclusive); !strings.Contains(reason, "check base_url") {
				t.Errorf("nothing says what to check: %s", reason)
			}
		})
	}
}

// One request that gets 404 while others are accepted does not mean a wrong address.
func TestOneExportThatIsNotFoundIsARefusal(t *testing.T) {
	j := judgeBehind(t, reference.Options{}, rebodied(func(body []byte) ([]byte, int) {
		if string(body) == "{}" {
			return nil, http.StatusNotFound
		}
		return body, 0
	}), nil, "export.success")
	if text := j.Explain(record.VerdictFail); !strings.Contains(text, "an empty object") {
		t.Errorf("failed: %s", text)
	}
}

// A filter text that names no client may be refused, but must get no server error.
func TestFreeTexts(t *testing.T) {
	for status, want := range map[int][]record.Verdict{
		404: {record.VerdictPass}, 500: {record.VerdictPass, record.VerdictFail},
	} {
		judgeBehind(t, reference.Options{}, rebodied(func(body []byte) ([]byte, int) {
			if bytes.Contains(body, []byte("O'Brien")) || bytes.Contains(body, []byte("Conceição")) {
				return nil, status
			}
			return body, 0
		}), nil, "export.success").ExpectVerdicts(t, want...)
	}
}

// A refused export with no part that is refused elsewhere is a separate finding.
func TestARefusalThatNothingExplainsIsAFinding(t *testing.T) {
	j := judgeBehind(t, reference.Options{}, rebodied(func(body []byte) ([]byte, int) {
		var f map[string]any
		if json.Unmarshal(body, &f) == nil && f["sort"] == nil && f["order"] == "asc" &&
			f["date_start"] != nil {
			return nil, http.StatusBadRequest
		}
		return body, 0
	}), nil)
	failOnly(t, j, "export.success")
	if text := j.Explain(record.VerdictFail); !strings.Contains(text, "order asc") {
		t.Error(text)
	}
}

// Where exports need a type_extension, an empty object is refused for lack of it, and other
// fields are not blamed.
func TestAFieldThatIsMissingIsNoFaultOfAnother(t *testing.T) {
	const rule = "export.success"
	o := judgeBehind(t, reference.Options{}, rebodied(func(body []byte) ([]byte, int) {
		if !bytes.Contains(body, []byte("type_extension")) {
			return nil, http.StatusBadRequest
		}
		return body, 0
	}), nil, rule)
	failOnly(t, o, rule)
	for _, c := range o.Checks {
		if c.Verdict == record.VerdictFail && c.Name != "accepts an export with an empty object" {
			t.Errorf("%s: %s", c.Name, c.Message)
		}
	}
}
