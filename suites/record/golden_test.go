package record_test

import (
	"flag"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/recordtest"
)

var update = flag.Bool("update", false, "write the golden files")

func TestRunJSON(t *testing.T) {
	data := testmust.Get(recordtest.SampleRun().JSON())(t)
	recordtest.Golden(t, *update, "run.json", data)
}
