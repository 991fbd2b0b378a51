package lab_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/lab"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// unsure reports whether an error is an inconclusive spec.Reason.
func unsure(err error) bool {
	r, is := errors.AsType[*spec.Reason](err)
	return is && r.Inconclusive
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sent is a request as the deployment receives it.
type sent struct {
	path   string
	header http.Header
	body   map[string]any
}

func (s sent) text(field string) string { return fmt.Sprint(s.body[field]) }

func (s sent) address(field string) any {
	parts, _ := s.body["address"].(map[string]any)
	return parts[field]
}

// deployed is a server that answers with answer and records the requests.
type deployed struct {
	answer func(sent) (status int, body string)

	mu  sync.Mutex
	all []sent
}

func (d *deployed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, _ := io.ReadAll(r.Body)
	s := sent{path: r.URL.Path, header: r.Header}
	_ = json.Unmarshal(data, &s.body)
	d.mu.Lock()
	d.all = append(d.all, s)
	d.mu.Unlock()
	status, body := d.answer(s)
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

func (d *deployed) seen() []sent {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]sent(nil), d.all...)
}

const fixtures = "fixtures: {shareholder_id: 1b4e28ba-2fa1-41d2-883f-0016d3cca427}\n"

// controls returns the lab of a run against a deployment with the given answers.
func controls(t *testing.T, more string, answer func(sent) (int, string)) (*lab.Lab, *target.Target,
	*deployed,
) {
	t.Helper()
	d := &deployed{answer: answer}
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	text := "name: scripted\nbase_url: " + server.URL + "\n" + more
	if !strings.Contains(more, "credentials:") {
		text += "credentials: {platform_token: main-token-0123456789}\n"
	}
	if !strings.Contains(more, "limits:") {
		text += "limits: {requests_per_second: 10000}\n"
	}
	dep := testmust.Get(deployment.Parse("scripted.yaml", t.TempDir(), []byte(text),
		func(string) (string, bool) { return "", false }))(t)
	c := testmust.Get(client.New(dep, client.Options{}))(t)
	t.Cleanup(c.Close)
	subject := target.New(dep, c, 1)
	p := spec.New(spec.Options{})
	built := lab.New(p, subject)
	t.Cleanup(p.Wait)
	return built, subject, d
}

const created = `{"id":"3f0a1a52-4b19-4c0e-9d8e-27a1f2f7c001"}`

func always(status int, body string) func(sent) (int, string) {
	return func(sent) (int, string) { return status, body }
}

func TestAValidCreationIsSentOnce(t *testing.T) {
	c, subject, d := controls(t, fixtures, always(201, created))
	for range 3 {
		x, err := c.ControlCreation.Get(t.Context())
		if err != nil || x.Status != 201 || len(x.Attempts) != 1 || x.Attempts[0] != x.Exchange {
			t.Fatalf("%v: %v", err, x)
		}
		if s := d.seen()[0]; s.header.Get("Nonce") != x.Sent.Nonce ||
			s.text("email") != x.Sent.Draft.Get("email") {
			t.Errorf("sent is %v", x.Sent.Label)
		}
		testmust.Equal(t, fmt.Sprint(x), "201 Created")
	}
	testmust.Equal(t, len(d.seen()), 1)
	testmust.Equal(t, subject.CreationSpelling.Load().String(), "")
}

func TestWithoutAShareholderNothingIsSent(t *testing.T) {
	c, _, d := controls(t, "", always(201, created))
	_, err := c.ControlCreation.Get(t.Context())
	if need := spec.NotVerifiedReason(err); need == nil || need.Key != "fixtures.shareholder_id" ||
		need.Text != "" || len(d.seen()) != 0 {
		t.Errorf("%v after %d requests", err, len(d.seen()))
	}
	if _, err := c.SendInConfigurations(t.Context(),
		lab.Probe{Operation: client.OperationCreate}); spec.NotVerifiedReason(err) == nil {
		t.Errorf("a check's creation: %v", err)
	}
	if x, ok := c.SendLivenessProbe(t.Context(), client.OperationCreate); ok || x != nil {
		t.Errorf("alive: %v", x)
	}
}

func TestAnExportThatIsRefusedIsInconclusive(t *testing.T) {
	c, _, d := controls(t, "", always(400, ""))
	_, err := c.ControlExport.Get(t.Context())
	want := "a valid export was not accepted (400 Bad Request), so no rule about " +
		"exports can be judged; run gateassay doctor"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err := c.SendInConfigurations(t.Context(),
		lab.Probe{Operation: client.OperationExport}); !unsure(err) || len(d.seen()) != 5 {
		t.Errorf("a check's export: %v after %d requests", err, len(d.seen()))
	}
}

// The liveness probe repeats the existing record's creation.
func TestToAskWhetherItIsAliveCreatesNothing(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		alive  bool
	}{
		{409, "", true},
		{200, created, true},
		{422, "", true},
		{401, "", false},
		{500, "", false},
		{503, "", false},
	} {
		n := 0
		built, subject, d := controls(t, fixtures, func(sent) (int, string) {
			if n++; n == 1 {
				return 201, created
			}
			return c.status, c.body
		})
		x, alive := built.SendLivenessProbe(t.Context(), client.OperationCreate)
		if alive != c.alive || x.Status != c.status {
			t.Errorf("%d: %s, alive %v", c.status, answers.Describe(x), alive)
		}
		all := d.seen()
		if len(all) != 2 || fmt.Sprint(all[0].body) != fmt.Sprint(all[1].body) ||
			all[0].header.Get("X-Transaction-Uuid") != all[1].header.Get("X-Transaction-Uuid") {
			t.Fatalf("%d: %d requests that are not the same creation", c.status, len(all))
		}
		if all[0].header.Get("Nonce") == all[1].header.Get("Nonce") || all[1].header.Get("Nonce") == "" {
			t.Errorf("%d: the second has no nonce of its own", c.status)
		}
		testmust.Equal(t, subject.Client.Stats().Created, 1, c.status, "representatives were created")
		first, _ := built.ControlCreation.Get(t.Context())
		if first.Sent.Nonce != all[0].header.Get("Nonce") || first.Sent.Label != "valid creation" {
			t.Errorf("%d: the control itself changed", c.status)
		}
	}
}

// The liveness probe is sent even where no creations are left, as a repeat creates nothing. Once
// a repeat creates a second record, it is not sent again.
func TestToAskWhetherItIsAliveNeedsNoBudget(t *testing.T) {
	for answer, want := range map[string]int{created: 3, `{"id":"another"}`: 2} {
		built, subject, d := controls(t,
			fixtures+"limits: {max_creates: 1, requests_per_second: 10000}\n", nil)
		d.answer = func(sent) (int, string) {
			if len(d.seen()) == 1 {
				return 201, created
			}
			return 200, answer
		}
		for n := range 2 {
			x, alive := built.SendLivenessProbe(t.Context(), client.OperationCreate)
			if asked := len(d.seen()) == n+2; alive != asked {
				t.Errorf("%s, question %d: %s, alive %v", answer, n+1, answers.Describe(x), alive)
			}
		}
		testmust.Equal(t, len(d.seen()), want, answer)
		testmust.Equal(t, subject.Client.Stats().Created, 4-want, answer)
	}
}

// A probe's request is built from a valid one, and sent after the control was accepted.
func TestChecksSendWhatTheyBuild(t *testing.T) {
	for op, fields := range map[client.Operation]struct{ edited, unique string }{
		client.OperationCreate: {"name", "email"}, client.OperationExport: {"sort", "date_start"},
	} {
		isBad := func(s sent) bool { return s.text(fields.edited) == "bad" }
		c, _, d := controls(t, fixtures, refusing(isBad))
		a, err := c.SendInConfigurations(t.Context(), lab.Probe{
			Operation: op, Edit: func(r *target.Request) { r.SetField(fields.edited, "bad") },
		})
		if err != nil || a.Status != 400 || len(a.Attempts) != 1 || a.ControlAnswered {
			t.Errorf("%s: %v, %s", op, err, answers.Describe(a.Exchange))
		}
		all := d.seen()
		if len(all) != 2 || isBad(all[0]) || !isBad(all[1]) {
			t.Fatalf("%s: the control comes first, then the request: %d requests", op, len(all))
		}
		if all[0].text(fields.unique) == all[1].text(fields.unique) {
			t.Errorf("%s: a check's request has a person, or bounds, of its own", op)
		}
	}
}
