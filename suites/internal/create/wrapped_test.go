package create_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/suitetest"
	"github.com/gateassay/gateassay/suites/record"
)

// wrapped judges the suite against a reference gateway behind a handler that interferes.
func wrapped(
	t *testing.T, wrap func(http.Handler) http.Handler, keep func(rules.Rule) bool,
) suitetest.SuiteResult {
	t.Helper()
	return judge(t,
		suitetest.SuiteRunner{Options: reference.Options{Seed: 5}, WrapGateway: wrap, KeepRule: keep})
}

// judgeRecordsOnly keeps the rules on what comes back.
func judgeRecordsOnly(r rules.Rule) bool {
	return slices.Contains([]string{"success", "response", "echo", "default"}, r.Topic())
}

// repeatsOnly interferes with requests whose transaction ID was seen before.
func repeatsOnly(interfere http.HandlerFunc) func(http.Handler) http.Handler {
	var seen sync.Map
	return suitetest.Before(func(w http.ResponseWriter, r *http.Request) bool {
		_, again := seen.LoadOrStore(r.Header.Get("x-transaction-uuid"), true)
		if again = again && r.Method == http.MethodPost; again {
			interfere(w, r)
		}
		return again
	})
}

func TestARepeatThatAlwaysBreaksTheDeploymentFails(t *testing.T) {
	for name, interfere := range map[string]http.HandlerFunc{
		"dropped": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"bad request": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failsOnly(t, wrapped(t, repeatsOnly(interfere), only("create.repeat.identical")),
				"create.repeat.identical")
		})
	}
}

func TestADeploymentThatIsDownOrRefusesEverybodyViolatesNothing(t *testing.T) {
	wrapped(t, func(http.Handler) http.Handler {
		return http.HandlerFunc(
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
	}, nil).ExpectVerdicts(t, record.VerdictInconclusive, record.VerdictNotVerified)
}

func TestOneRuleSendsOnlyWhatItNeeds(t *testing.T) {
	o := wrapped(t, func(next http.Handler) http.Handler { return next },
		only("create.response.id", "create.success.status", "create.echo.phone_number"))
	o.ExpectVerdicts(t, record.VerdictPass)
	testmust.Equal(t, o.Client.Stats().Sent,
		1, "requests, of which the control would be enough")
}

// answering changes the JSON answer to every accepted creation that left nothing out.
func answering(change func(record map[string]any)) func(http.Handler) http.Handler {
	return suitetest.AlterAnswers(
		func(w http.ResponseWriter, _ *http.Request, recorder *httptest.ResponseRecorder) {
			doc, _ := answers.ParseJSON(recorder.Body.Bytes())
			answer, _ := doc.(map[string]any)
			document, _ := answer["document"].(map[string]any)
			var body []byte
			if recorder.Code == http.StatusCreated && document["number"] != nil &&
				answer["name"] != nil && answer["birth_date"] != nil {
				change(answer)
				body, _ = json.Marshal(answer)
			}
			suitetest.ForwardAnswer(w, recorder, body)
		})
}

// filling gives requests the headers that they lack.
func filling(value func() string, headers ...string) func(http.Handler) http.Handler {
	return suitetest.Before(func(_ http.ResponseWriter, r *http.Request) bool {
		for _, name := range headers {
			if r.Header.Get(name) == "" {
				r.Header.Set(name, value())
			}
		}
		return false
	})
}

// Some deployments take a list of one item for that item, in one field only. Every seed shows it.
func TestEverySeedTriesRequiredFieldsInArrays(t *testing.T) {
	for seed := range int64(3) {
		for _, name := range []string{"shareholder_id", "mother_name", "phone_number", "email"} {
			list := regexp.MustCompile(`"` + name + `":\[("[^"]*")\]`)
			unwrapping := suitetest.EditBodies(func(_ *http.Request, body []byte) []byte {
				return list.ReplaceAll(body, []byte(`"`+name+`":$1`))
			})
			failsOnly(t, judge(t, suitetest.SuiteRunner{
				Options: reference.Options{Seed: 5}, WrapGateway: unwrapping,
				KeepRule: only("create.value.wrapped"), Seed: seed + 1,
			}), "create.value.wrapped")
		}
	}
}

// Fields that the deployment omits when they are zero: only creations that send zero show it.
func TestZeroesThatAreLeftOutAreMissing(t *testing.T) {
	o := wrapped(t, answering(func(answer map[string]any) {
		for _, name := range []string{"income", "patrimony", "participation_percentage"} {
			if answer[name] == json.Number("0") {
				delete(answer, name)
			}
		}
	}), judgeRecordsOnly)
	failsOnly(t, o, "create.success.fields")
	for _, r := range o.Checks {
		if r.Verdict == record.VerdictFail && (r.Failed < 2 || r.Attempts < 20) {
			t.Errorf("failed on %d of %d answers, expected one in each context", r.Failed, r.Attempts)
		}
	}
}

// Dates that all move, as in another time zone, leave the default of the update date.
func TestDatesThatMoveKeepTheirDefault(t *testing.T) {
	o := wrapped(t, answering(func(answer map[string]any) {
		for _, date := range []string{
			"birth_date", "registration_update_date", "relationship_start_date",
			"relationship_end_date",
		} {
			if day, err := time.Parse(time.DateOnly, fmt.Sprint(answer[date])); err == nil {
				answer[date] = day.AddDate(0, 0, -1).Format(time.DateOnly)
			}
		}
	}), judgeRecordsOnly)
	failsOnly(t, o, "create.default.registration_update_date_kept", "create.echo.birth_date",
		"create.echo.relationship_start_date", "create.echo.relationship_end_date")
}

func TestMessagesShowNoPersonalData(t *testing.T) {
	o := wrapped(t, answering(func(answer map[string]any) {
		document := answer["document"].(map[string]any)
		digits := document["number"].(string)
		document["number"] = digits[:3] + "." + digits[3:6] + "." + digits[6:9] + "-" + digits[9:]
		answer["name"] = strings.ToUpper(answer["name"].(string))
		answer["email"] = "x" + answer["email"].(string)
		answer["birth_date"] = strings.ReplaceAll(answer["birth_date"].(string), "-", "/")
	}), judgeRecordsOnly)
	failsOnly(t, o, "create.response.document.number", "create.response.birth_date",
		"create.echo.email", "create.echo.name")
	// SECURITY.md promises that messages show no numbers and dates of people, and no names and
	// addresses as sent.
	personal := regexp.MustCompile(`\d{3}\.\d{3}\.\d{3}|19\d\d/`)
	for _, r := range o.Checks {
		// the form of a CPF, not one
		text := strings.ReplaceAll(r.Message+r.Expected+r.Actual, "999.999.999-99", "")
		if personal.MatchString(text) {
			t.Errorf("%s shows personal data: %s", r.Rule, text)
		}
	}
}

func TestAnAnswerThatIsNotJSONBreaksOneRule(t *testing.T) {
	failsOnly(t, wrapped(t, suitetest.AlterAnswers(func(w http.ResponseWriter, _ *http.Request,
		answer *httptest.ResponseRecorder,
	) {
		w.WriteHeader(answer.Code)
		if answer.Code == http.StatusCreated {
			_, _ = w.Write([]byte("<created/>"))
			return
		}
		_, _ = w.Write(answer.Body.Bytes())
	}), nil), "create.success.json")
}

// A field that the deployment defines as a string cannot be rejected for being one.
func TestDeploymentTypesAreNoDefects(t *testing.T) {
	o := judge(t, suitetest.SuiteRunner{
		KeepRule: only("create.money.income.string"),
		EditYAML: func(yaml string) string {
			return strings.Replace(yaml, "  field_types:\n", "  field_types:\n    income: string\n", 1)
		},
	})
	text := o.Explain(record.VerdictNotVerified)
	testmust.Contain(t, text, "field_types says that income is sent as a string")
}

// Refusals in neither language leave the rule unverified. Refusals in English break it.
func TestMessagesWithoutALanguage(t *testing.T) {
	const rule = "create.header.language.default"
	speaking := func(language string) func(http.Handler) http.Handler {
		return filling(func() string { return language }, "x-lang")
	}
	failsOnly(t, wrapped(t, speaking("en-US"), only(rule)), rule)
	wrapped(t, speaking("pt-BR"), only(rule)).ExpectVerdicts(t, record.VerdictPass)
	changing := suitetest.AlterAnswers(
		func(w http.ResponseWriter, _ *http.Request, answer *httptest.ResponseRecorder) {
			suitetest.ForwardAnswer(w, answer,
				[]byte(strings.ReplaceAll(answer.Body.String(), " ", " "+uuid.NewString()+" ")))
		})
	wrapped(t, changing, only(rule)).ExpectVerdicts(t, record.VerdictNotVerified)
}

// A deployment that reads other names than guessed is not blamed for what it never read: the
// reasons ask for the keys.
func TestWrongGuessesOfNamesAreNotVerified(t *testing.T) {
	deaf := suitetest.EditBodies(func(r *http.Request, body []byte) []byte {
		r.Header.Set("nonce", uuid.NewString())
		var sent map[string]json.RawMessage
		if json.Unmarshal(body, &sent) == nil {
			delete(sent, "pep")
			body, _ = json.Marshal(sent)
		}
		return body
	})
	asked := map[string]string{
		"create.flags.pep": "fields.pep", "create.echo.pep": "", "create.success.fields": "fields.pep",
		"create.header.nonce.absent":    "headers.nonce",
		"create.header.nonce.malformed": "headers.nonce",
	}
	o := judge(t, suitetest.SuiteRunner{
		Options: reference.Options{Seed: 5}, WrapGateway: deaf,
		KeepRule: func(r rules.Rule) bool {
			_, expected := asked[r.ID]
			return expected || r.ID == "create.flags.is_public_server"
		},
		EditYAML: func(yaml string) string {
			return regexp.MustCompile(`(?m)^    nonce: .*\n`).ReplaceAllString(yaml, "")
		},
	})
	failsOnly(t, o)
	for rule, verdict := range o.Verdicts() {
		key, expected := asked[rule]
		want := record.VerdictPass
		if expected {
			want = record.VerdictNotVerified
		}
		testmust.Equal(t, verdict, want, rule)
		named := slices.ContainsFunc(o.Checks, func(r record.CheckResult) bool {
			return r.Rule == rule && r.MissingKey == "legal_representative."+key
		})
		if key != "" && !named {
			t.Errorf("%s does not ask for %s%s", rule, key, o.Explain(record.VerdictNotVerified))
		}
	}
}
