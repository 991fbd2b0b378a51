package live_test

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/reports/live"
	"github.com/gateassay/gateassay/reports/terminal"
)

func TestRequestsInFlightAreNotShownAsLost(t *testing.T) {
	dir, begun := t.TempDir(), make(chan struct{}, 1)
	rec := testmust.Get(results.OpenRecorder(results.Config{
		Dir: dir, Plan: 1, Interval: 10 * time.Millisecond, OnInterval: func(results.Status) {
			select {
			case begun <- struct{}{}:
			default:
			}
		},
		Schedule: testmust.Get(schedule.New(schedule.ConstantStage(10, time.Minute)))(t),
	}))(t)
	rec.Start(time.Now(), func() (sent, inFlight int64) { return 10, 4 })
	<-begun
	var out bytes.Buffer
	v := testmust.Get(live.NewWebView(live.NewTerminalView(terminal.Screen{Writer: &out}),
		"127.0.0.1:0"))(t)
	defer v.Stop()
	v.Start("staging", dir)
	address := regexp.MustCompile(`http://[0-9.:]+/`).FindString(out.String())
	answer := testmust.Get(http.Get(address))(t)
	defer answer.Body.Close()
	page := string(testmust.Get(io.ReadAll(answer.Body))(t))
	if !strings.Contains(page, "10 of 600 requests sent") || strings.Contains(page, "not recorded") {
		t.Errorf("%.2000s", page)
	}
	testmust.Get(rec.Finish(results.RunEnd{}))(t)
}
