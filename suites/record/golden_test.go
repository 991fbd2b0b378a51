package record_test

import (
	"flag"
	"testing"

	"github.com/gateassay/gateassay/suites/record/recordtest"
)

var update = flag.Bool("update", false, "write the golden files")

func TestRunJSON(t *testing.T) {
	data, err := recordtest.Run().JSON()
	if err != nil {
		t.Fatal(err)
	}
	recordtest.Golden(t, *update, "run.json", data)
}
