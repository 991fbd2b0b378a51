package client_test

import (
	"testing"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/testmust"
)

func TestPerformedMember(t *testing.T) {
	const (
		refusal = `{"error":{"id":"4f0c0a52-97a2-4b93-8f0b-4a3c0f7f2a11","message":"no"}}`
		record  = `{"id":"4f0c0a52-97a2-4b93-8f0b-4a3c0f7f2a11","person_type":"NATURAL_PERSON"}`
		export  = `{"file_id":"f1","file_state":{"status":"PROCESSING"}}`
	)
	for name, c := range map[string]struct {
		operation client.Operation
		status    int
		body      string
		want      string
	}{
		"a refusal":                  {client.OperationCreate, 400, refusal, ""},
		"the record behind it":       {client.OperationCreate, 401, refusal + "\n" + record, "person_type"},
		"the record in an envelope":  {client.OperationCreate, 400, `{"data":` + record + `}`, "person_type"},
		"the record that exists":     {client.OperationCreate, 409, record, ""},
		"what was sent":              {client.OperationCreate, 400, `{"received":{"person_type":"X"}}`, ""},
		"an accepted creation":       {client.OperationCreate, 201, record, ""},
		"an export behind it":        {client.OperationExport, 403, refusal + export, "file_id"},
		"the export without a state": {client.OperationExport, 403, `{"file_id":"f1"}`, ""},
		"text behind it":             {client.OperationExport, 401, refusal + "\nnot JSON " + export, ""},
	} {
		x := client.Exchange{Operation: c.operation, Status: c.status, Body: []byte(c.body)}
		testmust.Equal(t, x.PerformedMember(), c.want, name)
	}
}
