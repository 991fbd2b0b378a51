package client

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestLeaksNameTheCredential(t *testing.T) {
	answer := ""
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/header" {
			w.Header().Set("X-Debug", "key="+testKey)
		}
		_, _ = io.WriteString(w, answer)
	})
	c := newClient(t, testDeployment(server), Options{})
	for _, tc := range []struct{ path, answer, want string }{
		{"/", "nothing", ""},
		{"/", "sig " + strings.Split(testToken, ".")[2], "platform_token in the body"},
		{"/header", "", "api_key in the header X-Debug"},
		{"/?access_token=" + testToken, `{"self": "/?access_token=` + testToken + `"}`, ""},
		{
			"/header", testToken + "other-user-secret-value",
			"api_key in the header X-Debug; other_user in the body; platform_token in the body",
		},
	} {
		answer = tc.answer
		if x := c.SendOnce(t.Context(), get(tc.path)); strings.Join(x.Leaks, "; ") != tc.want {
			t.Errorf("%q: %v", tc.answer, x.Leaks)
		}
	}
}

// The parts of a field's path are names, whatever characters they have.
func TestSummaryFindsFieldsByName(t *testing.T) {
	c := clientOf(t, Options{}, func(http.ResponseWriter, *http.Request) {})
	r := post(`{"data/pf":{"~income":1.50}}`)
	r.RelevantFields = []string{"data/pf.~income"}
	const want = "POST /x, data/pf.~income 1.50, without a credential"
	testmust.Equal(t, c.SendOnce(t.Context(), r).Summary(), want)
}

func TestPerformedMember(t *testing.T) {
	const (
		refusal = `{"error":{"id":"4f0c0a52-97a2-4b93-8f0b-4a3c0f7f2a11","message":"no"}}`
		record  = `{"id":"4f0c0a52-97a2-4b93-8f0b-4a3c0f7f2a11","person_type":"NATURAL_PERSON"}`
		export  = `{"file_id":"f1","file_state":{"status":"PROCESSING"}}`
	)
	for name, c := range map[string]struct {
		operation Operation
		status    int
		body      string
		want      string
	}{
		"a refusal":                  {OperationCreate, 400, refusal, ""},
		"the record behind it":       {OperationCreate, 401, refusal + "\n" + record, "person_type"},
		"the record in an envelope":  {OperationCreate, 400, `{"data":` + record + `}`, "person_type"},
		"the record that exists":     {OperationCreate, 409, record, ""},
		"what was sent":              {OperationCreate, 400, `{"received":{"person_type":"X"}}`, ""},
		"an accepted creation":       {OperationCreate, 201, record, ""},
		"an export behind it":        {OperationExport, 403, refusal + export, "file_id"},
		"the export without a state": {OperationExport, 403, `{"file_id":"f1"}`, ""},
		"text behind it":             {OperationExport, 401, refusal + "\nnot JSON " + export, ""},
	} {
		x := Exchange{Operation: c.operation, Status: c.status, Body: []byte(c.body)}
		testmust.Equal(t, x.PerformedMember(), c.want, name)
	}
}
