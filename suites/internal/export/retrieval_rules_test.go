package export_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/internal/suitetest"
	"github.com/gateassay/gateassay/suites/record"
)

// rewritten replaces text of the deployment file.
func rewritten(pairs ...string) func(string) string {
	return strings.NewReplacer(pairs...).Replace
}

// without removes a line of export.file.
func without(key string) func(string) string {
	return func(yaml string) string {
		return regexp.MustCompile(`(?m)^    `+key+`:.*\n`).ReplaceAllString(yaml, "")
	}
}

// A deployment file that describes the retrieval wrongly is no violation: the reason names the
// key to check. A failure that no key explains is a violation.
func TestAFileThatIsNotFetched(t *testing.T) {
	nested := reference.Choices{NestedState: true}
	const request, state = "check export.file.request and export.file.headers",
		"check export.file.state and export.file.url"
	for name, c := range map[string]struct {
		o      reference.Options
		change func(string) string
		wrap   func(http.Handler) http.Handler
		says   string // reason of the inconclusive verdict; empty: the rule fails
	}{
		"a ready state that is misspelt": {
			change: rewritten(`ready: ["READY"]`, `ready: ["DONE"]`), says: state,
		},
		"states of which none is known": {
			o: reference.Options{Choices: nested}, says: state,
			change: rewritten(`ready: ["DONE"]`, `ready: ["READY"]`, `failed: ["ABORTED"]`,
				`failed: ["ERROR"]`),
		},
		"a state pointer that finds nothing": {
			change: rewritten(`pointer: "/state"`, `pointer: "/status"`, `url: "/url"`, `url: "/address"`),
			says:   state,
		},
		"a state pointer to an object": {
			o:      reference.Options{Choices: nested},
			change: rewritten(`/file_state/status/name`, `/file_state/status`), says: state,
		},
		"an address pointer that finds nothing": {
			change: rewritten(`url: "/url"`, `url: "/address"`), says: state,
		},
		"an address pointer that is not given": {change: without("url"), says: state},
		"a wrong address":                      {change: rewritten("GET /v1/files/", "GET /v1/file/"), says: request},
		"a header that is not given": {
			change: rewritten("    headers:\n      nonce: \"{uuid}\"\n", ""), says: request,
		},
		"a later state for ever": {
			o: reference.Options{Choices: nested, Faults: []string{"export.file.never_ready"}}, says: state,
		},
		"a later state for ever, and an address that may be the file's": {
			o: reference.Options{Choices: nested, Faults: []string{"export.file.never_ready"}}, says: state,
			wrap: rewriting(func(answer *httptest.ResponseRecorder) []byte {
				return bytes.Replace(answer.Body.Bytes(), []byte(`"file_state":{`),
					[]byte(`"link":"/files","file_state":{`), 1)
			}),
		},
		"the first state for ever, and a ready state that is misspelt": {
			o:      reference.Options{Faults: []string{"export.file.never_ready"}},
			change: rewritten(`ready: ["READY"]`, `ready: ["DONE"]`),
		},
		"a download that breaks":     {wrap: downloads(http.StatusInternalServerError)},
		"a download that is refused": {wrap: downloads(http.StatusForbidden)},
		"a download that is lost":    {wrap: downloads(http.StatusNotFound)},
		"a ready file without an address": {wrap: rewriting(
			func(answer *httptest.ResponseRecorder) []byte {
				return regexp.MustCompile(`,?"url":"[^"]*"`).ReplaceAll(answer.Body.Bytes(), nil)
			})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := judgeBehind(t, c.o, c.wrap, func(yaml string) string {
				yaml = strings.Replace(yaml, "timeout: 6s", "timeout: 2s", 1)
				if c.change == nil {
					return yaml
				}
				changed := c.change(yaml)
				if changed == yaml {
					t.Errorf("nothing was changed in\n%s", yaml)
				}
				return changed
			}, "export.file.retrievable")
			const headline = "The file of an accepted export cannot be fetched: "
			want, lead := record.VerdictInconclusive, ""
			if c.says == "" {
				want, lead = record.VerdictFail, headline
			}
			for _, r := range j.Checks {
				if r.Verdict != want || !strings.HasPrefix(r.Message, lead) ||
					!strings.Contains(r.Message, c.says) {
					t.Errorf("expected %s: %q, got %s: %s (%s)", want, c.says, r.Verdict, r.Message, r.Actual)
				}
			}
		})
	}
}

// A file that fails once is requested again before the deployment is blamed.
func TestAFailureThatPasses(t *testing.T) {
	t.Parallel()
	var failed atomic.Bool
	j := judgeBehind(t, reference.Options{},
		rewriting(func(answer *httptest.ResponseRecorder) []byte {
			body := answer.Body.Bytes()
			if bytes.Contains(body, []byte(`"READY"`)) && !failed.Swap(true) {
				body = bytes.Replace(body, []byte(`"READY"`), []byte(`"ERROR"`), 1)
			}
			return body
		}), nil, "export.file.retrievable")
	if j.ExpectVerdicts(t, record.VerdictPass); !failed.Load() {
		t.Error("no file failed")
	}
}

// A deployment that makes one file after the other has a queue of a whole run's exports, in which
// files wait longer than export.file.timeout.
func TestFilesWaitInAQueue(t *testing.T) {
	t.Parallel()
	const first, each = 600 * time.Millisecond, 40 * time.Millisecond
	var queue sync.Map // by file ID, when the file is ready
	var free atomic.Int64
	withQueue := func(next http.Handler) http.Handler {
		return suitetest.AlterAnswers(func(w http.ResponseWriter, r *http.Request,
			answer *httptest.ResponseRecorder,
		) {
			if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/exports") {
				var made struct {
					ID string `json:"file_id"`
				}
				if json.Unmarshal(answer.Body.Bytes(), &made); made.ID != "" {
					now := time.Now().UnixNano()
					ready := max(free.Load(), now+int64(first)) + int64(each)
					free.Store(ready)
					queue.Store(made.ID, ready)
				}
			}
			if ready, is := queue.Load(path.Base(r.URL.Path)); is && time.Now().UnixNano() < ready.(int64) {
				w.WriteHeader(http.StatusAccepted)
				return
			}
			suitetest.ForwardAnswer(w, answer, nil)
		})(next)
	}
	j := judgeBehind(t,
		reference.Options{Choices: reference.Choices{Retrieval: reference.RetrievalDirect}}, withQueue,
		rewritten("timeout: 6s", "timeout: 3s"))
	if failed := j.RulesWithVerdict(record.VerdictInconclusive); len(failed)+len(j.FailedRules()) > 0 {
		t.Errorf("%v %v%s", failed, j.FailedRules(),
			j.Explain(record.VerdictFail, record.VerdictInconclusive))
	}
}

// downloads answers every download with a status.
func downloads(status int) func(http.Handler) http.Handler {
	return suitetest.Before(func(w http.ResponseWriter, r *http.Request) bool {
		download := strings.HasPrefix(r.URL.Path, "/downloads/")
		if download {
			w.WriteHeader(status)
		}
		return download
	})
}

// A file without quotes may also lack titles.
func TestAFileOfNoQuoteMayBeEmpty(t *testing.T) {
	t.Parallel()
	judgeBehind(t, reference.Options{Choices: reference.Choices{Retrieval: reference.RetrievalDirect}},
		rewriting(func(answer *httptest.ResponseRecorder) []byte {
			if isFileWithoutRows(answer) {
				return []byte{}
			}
			return nil
		}), nil, "export.range.empty", "export.range.own_rows", "export.range.start_after_end",
	).ExpectVerdicts(t, record.VerdictPass)
}

// A deployment may create no file where no quotes match. What only such a file could show is not
// verified, and the run does not wait for the timeout.
func TestADeploymentWithoutFilesOfNoQuote(t *testing.T) {
	t.Parallel()
	j := judgeBehind(t,
		reference.Options{Choices: reference.Choices{Retrieval: reference.RetrievalDirect}},
		suitetest.AlterAnswers(
			func(w http.ResponseWriter, _ *http.Request, answer *httptest.ResponseRecorder) {
				if isFileWithoutRows(answer) {
					w.WriteHeader(http.StatusNotFound)
					return
				}
				suitetest.ForwardAnswer(w, answer, nil)
			}), rewritten("timeout: 6s", "timeout: 25s"), "export.range.empty", "export.filter.prefix",
		"export.range.partition")
	j.ExpectVerdicts(t, record.VerdictPass, record.VerdictObserved, record.VerdictNotVerified)
	if got := j.Verdicts(); got["export.range.empty"] != record.VerdictNotVerified ||
		got["export.range.partition"] != record.VerdictPass {
		t.Errorf("%v%s", got, j.Explain(record.VerdictNotVerified))
	}
	text := j.Explain(record.VerdictNotVerified)
	testmust.Contain(t, text, "no export of this run could show")
}

// A refusal with the file after it gives the file away.
func TestARefusalWithTheFileBehindItIsAFinding(t *testing.T) {
	t.Parallel()
	j := judgeBehind(t, reference.Options{
		Choices: reference.Choices{Retrieval: reference.RetrievalDirect},
		Faults:  []string{"auth.missing_return"},
	}, nil, nil, "export.file.authenticated")
	testmust.Contain(t, j.Explain(record.VerdictFail), "after the refusal")
}
