package create_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/suitetest"
)

// wrapped judges the suite against a reference gateway behind a handler that interferes.
func wrapped(t *testing.T, wrap func(http.Handler) http.Handler, edit func(yaml string) string, want func(*plan.Check) bool) suitetest.Outcome {
	t.Helper()
	return judge(t, suitetest.Bench{Options: reference.Options{Seed: 5}, Wrap: wrap, Edit: edit, Keep: want})
}

func untouched(next http.Handler) http.Handler { return next }

func only(ids ...string) func(*plan.Check) bool {
	return func(c *plan.Check) bool { return slices.Contains(ids, c.Rule.ID) }
}

// repeatsOnly interferes with requests whose transaction ID was seen before.
func repeatsOnly(next http.Handler, interfere http.HandlerFunc) http.Handler {
	var mu sync.Mutex
	seen := map[string]bool{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("x-transaction-uuid")
		mu.Lock()
		again := seen[id]
		seen[id] = true
		mu.Unlock()
		if again && r.Method == http.MethodPost {
			interfere(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func TestARepeatThatAlwaysBreaksTheDeploymentFails(t *testing.T) {
	for name, interfere := range map[string]http.HandlerFunc{
		"unavailable": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
		"dropped":     func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"error":       func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"bad request": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) },
	} {
		t.Run(name, func(t *testing.T) {
			o := wrapped(t, func(next http.Handler) http.Handler { return repeatsOnly(next, interfere) }, nil, only("create.repeat.identical"))
			if failed := o.Failed(); !slices.Contains(failed, "create.repeat.identical") {
				t.Errorf("found %v", o.Verdicts())
			}
		})
	}
}

func TestADeploymentThatIsDownOrRefusesEverybodyViolatesNothing(t *testing.T) {
	for name, status := range map[string]int{
		"unauthorized": http.StatusUnauthorized, "forbidden": http.StatusForbidden, "bad request": http.StatusBadRequest,
	} {
		t.Run(name, func(t *testing.T) {
			o := wrapped(t, func(http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
			}, nil, nil)
			o.None(t, record.Fail, record.Pass, record.Observed)
		})
	}
}

func TestOneRuleSendsOnlyWhatItNeeds(t *testing.T) {
	o := wrapped(t, untouched, nil, only("create.response.id", "create.success.status", "create.echo.phone_number"))
	o.None(t, record.Fail, record.NotVerified, record.Inconclusive)
	if sent := o.Client.Stats().Sent; sent != 1 {
		t.Errorf("sent %d requests, the control would have been enough", sent)
	}
}

// answering changes the JSON answer of every accepted creation.
func answering(change func(record map[string]any)) func(http.Handler) http.Handler {
	return suitetest.Altered(func(w http.ResponseWriter, _ *http.Request, recorder *httptest.ResponseRecorder) {
		var body []byte
		var answer map[string]any
		if recorder.Code == http.StatusCreated && json.Unmarshal(recorder.Body.Bytes(), &answer) == nil && isComplete(answer) {
			change(answer)
			body, _ = json.Marshal(answer)
		}
		suitetest.Forward(w, recorder, body)
	})
}

// isComplete tells a record whose request left nothing out.
func isComplete(answer map[string]any) bool {
	document, _ := answer["document"].(map[string]any)
	return document["number"] != nil && answer["name"] != nil && answer["birth_date"] != nil
}

// Fields that are left out when they hold nothing: only the variations that send nothing show it.
func TestZeroesThatAreLeftOutAreMissing(t *testing.T) {
	o := wrapped(t, answering(func(answer map[string]any) {
		for _, name := range []string{"income", "patrimony", "participation_percentage"} {
			if answer[name] == float64(0) {
				delete(answer, name)
			}
		}
	}), nil, nil)
	if failed := o.Failed(); !slices.Equal(failed, []string{"create.success.fields"}) {
		t.Errorf("failed: %v", failed)
	}
	for _, c := range o.Checks {
		if r := c.Result(); r.Rule == "create.success.fields" && (r.Failed != 3 || r.Attempts < 20) {
			t.Errorf("failed on %d of %d answers, expected 3 of all valid creations", r.Failed, r.Attempts)
		}
	}
}

func TestMessagesShowNoPersonalData(t *testing.T) {
	o := wrapped(t, answering(func(answer map[string]any) {
		document := answer["document"].(map[string]any)
		digits := document["number"].(string)
		document["number"] = digits[:3] + "." + digits[3:6] + "." + digits[6:9] + "-" + digits[9:]
		answer["name"] = strings.ToUpper(answer["name"].(string))
		answer["email"] = "x" + answer["email"].(string)
		answer["birth_date"] = strings.ReplaceAll(answer["birth_date"].(string), "-", "/")
	}), nil, nil)
	want := []string{"create.response.document.number", "create.response.birth_date", "create.echo.name", "create.echo.email"}
	if failed := o.Failed(); !slices.Equal(failed, want) {
		t.Errorf("failed: %v, expected %v", failed, want)
	}
	personal := regexp.MustCompile(`\d{3}\.\d{3}\.\d{3}|GATEASSAY|@example|19\d\d/`)
	for _, c := range o.Checks {
		r := c.Result()
		text := strings.ReplaceAll(r.Message+r.Expected+r.Actual, "999.999.999-99", "") // the form of a CPF, no CPF
		if personal.MatchString(text) {
			t.Errorf("%s shows personal data: %s", c.Text(), text)
		}
	}
}

func TestAnAnswerThatIsNoJSONBreaksOneRule(t *testing.T) {
	o := wrapped(t, suitetest.Altered(func(w http.ResponseWriter, _ *http.Request, answer *httptest.ResponseRecorder) {
		w.WriteHeader(answer.Code)
		if answer.Code == http.StatusCreated {
			_, _ = w.Write([]byte("<created/>"))
			return
		}
		_, _ = w.Write(answer.Body.Bytes())
	}), nil, nil)
	if failed := o.Failed(); !slices.Equal(failed, []string{"create.success.json"}) {
		t.Errorf("failed: %v", failed)
	}
}

// A field that the deployment takes as a string cannot be rejected for being one.
func TestDeploymentTypesAreNoDefects(t *testing.T) {
	o := wrapped(t, untouched, func(yaml string) string {
		return strings.Replace(yaml, "  field_types:\n", "  field_types:\n    income: string\n", 1)
	}, only("create.money.income.string"))
	o.None(t, record.Fail, record.Pass)
}

// What comes back of ordinary values is judged on every record that the run made, whatever it was made for.
func TestOrdinaryValuesAreJudgedOnTheWholeRun(t *testing.T) {
	inEnglish := suitetest.Altered(func(w http.ResponseWriter, r *http.Request, answer *httptest.ResponseRecorder) {
		if r.Header.Get("x-lang") == "en-US" {
			suitetest.Forward(w, answer, []byte(strings.ReplaceAll(answer.Body.String(), `"Centro"`, `"Centre"`)))
			return
		}
		suitetest.Forward(w, answer, nil)
	})
	o := wrapped(t, inEnglish, nil, only("create.echo.address.neighborhood", "create.echo.address.city", "create.header.language"))
	if failed := o.Failed(); !slices.Equal(failed, []string{"create.echo.address.neighborhood"}) {
		t.Errorf("failed: %v", failed)
	}
}
