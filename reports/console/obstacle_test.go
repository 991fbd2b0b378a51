package console_test

import (
	"bytes"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/reports/console"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/doctor"
)

func TestAnObstacleEndsWithTheVerdictAndItsExitCode(t *testing.T) {
	obstacle := &doctor.Obstacle{
		Cause: "No connection to http://127.0.0.1:9", Answer: "no answer: connection refused",
		NextStep: "nothing listens there: check the port of base_url and whether the deployment is up",
	}
	var out bytes.Buffer
	testmust.Succeed(t,
		view.WriteText(&out, console.ObstacleReport(obstacle),
			view.Style{Columns: 80, Folder: "runs/dead", Exit: "exit code 3"}))
	want := `
No answer: connection refused
Next: nothing listens there: check the port of base_url and whether the
deployment is up.

INCONCLUSIVE  No connection to http://127.0.0.1:9; exit code 3
runs/dead
`
	testmust.Equal(t, out.String(), want)
}
