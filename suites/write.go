package suites

import (
	"encoding/json"
	"errors"
	"path/filepath"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/reports/junit"
	"github.com/gateassay/gateassay/reports/page"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/reports/summary"
)

func (r *run) path(name string) string { return filepath.Join(r.folder, name) }

// write puts the derived files beside the journal. Each is tried, whatever became of the others: run.json first.
func write(folder string, run record.Run, c *client.Client) error {
	var errs []error
	put := func(name string, data []byte, err error) {
		if err == nil {
			err = record.WriteAtomic(folder, name, data)
		}
		errs = append(errs, err)
	}
	data, err := run.JSON()
	put(record.RunName, data, err)
	data, err = junit.Write(run)
	put("junit.xml", data, err)
	put("summary.md", summary.Markdown(run), nil)
	data, err = page.FromFolder(folder, run)
	if err != nil { // the exchanges cannot be read back; memory has them still
		data, err = page.Write(run, exchanges{c})
	}
	put("report.html", data, err)
	return errors.Join(errs...)
}

// createdID reads the record's ID of an accepted creation.
func createdID(x *client.Exchange) (string, bool) {
	var answer struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(x.Body, &answer) != nil || answer.ID == "" {
		return "", false
	}
	return answer.ID, true
}
