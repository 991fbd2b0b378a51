package cmd

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/results"
)

// TestCommandsOfLoadRun runs the commands of docs/load.md one after the other, each for a second
// or two, and compares vegeta's report with run.json.
func TestCommandsOfLoadRun(t *testing.T) {
	dir := t.TempDir()
	built, err := exec.Command("go", "build", "-C", "../bench/peers/vegeta", "-o", dir,
		"github.com/tsenart/vegeta/v12").CombinedOutput()
	if err != nil {
		t.Fatalf("vegeta cannot be built: %v\n%s", err, built)
	}
	gateway := testmust.Get(reference.Start(t.Context(), "127.0.0.1:0", reference.Options{Seed: 1}))(t)
	defer gateway.Close()
	testmust.Succeed(t,
		os.WriteFile(filepath.Join(dir, "staging.yaml"), gateway.Gateway.DeploymentYAML(gateway.URL),
			0o600))
	testmust.WriteFile(t, filepath.Join(dir, "plan.yaml"), "rate: 50/s\nduration: 1s\n")
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	page := string(testmust.Get(os.ReadFile("../docs/load.md"))(t))
	short := strings.NewReplacer("30s", "2s", "10s", "1s", "30m", "1s", "2000/s",
		"100/s --step-duration 300ms --cool-down 0s", ":9090", "127.0.0.1:0")
	ran := 0
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)\n```").FindAllStringSubmatch(page, -1) {
		for line := range strings.SplitSeq(strings.ReplaceAll(block[1], "|\n", "| "), "\n") {
			command := exec.CommandContext(t.Context(), "sh", "-c", short.Replace(line))
			command.Dir = dir
			out, _ := command.CombinedOutput()
			code := command.ProcessState.ExitCode() // 1 and 3 can occur on a busy machine
			if ran++; !slices.Contains([]int{0, 1, 3}, code) ||
				strings.Contains(line, "| vegeta report") && !bytes.Contains(out, []byte("Success ")) {
				t.Errorf("%s ends with %d:\n%s", line, code, out)
			}
		}
	}
	read := func(name string) []byte { return testmust.Get(os.ReadFile(filepath.Join(dir, name)))(t) }
	for name, holds := range map[string]string{
		"latency.hgrm": "1/(1-Percentile)", "plot.html": "<html", "results.json": `"method":"POST"`,
	} {
		if text := read(name); !bytes.Contains(text, []byte(holds)) {
			t.Errorf("%s: %.300s", name, text)
		}
	}
	var run results.Run
	testmust.Succeed(t, json.Unmarshal(read("run/run.json"), &run))
	var told struct {
		Latencies struct{ Mean, Max float64 }
		In        struct{ Total int64 } `json:"bytes_in"`
		Out       struct{ Total int64 } `json:"bytes_out"`
		Statuses  map[string]int64      `json:"status_codes"`
	}
	report := exec.CommandContext(t.Context(), "vegeta", "report", "-type=json",
		filepath.Join(dir, "results.bin"))
	testmust.Succeed(t, json.Unmarshal(testmust.Get(report.Output())(t), &told))
	var took []float64 // nearest ranks of the recorded times: vegeta's own percentiles are estimates
	for _, row := range testmust.Get(csv.NewReader(bytes.NewReader(read("results.csv"))).ReadAll())(
		t) {
		took = append(took, testmust.Get(strconv.ParseFloat(row[2], 64))(t))
	}
	slices.Sort(took)
	service := run.Latency.Service
	for what, pair := range map[string][2]float64{
		"mean": {service.Mean, told.Latencies.Mean}, "max": {service.Max, told.Latencies.Max},
		"p50": {service.P50, took[len(took)/2-1]}, "p99": {service.P99, took[len(took)*99/100-1]},
	} {
		if ours, theirs := pair[0], pair[1]/1e6; math.Abs(ours/theirs-1) > 0.01 {
			t.Errorf("%s is %v ms, by vegeta %v ms", what, ours, theirs)
		}
	}
	if ours, theirs := fmt.Sprint(run.Codes, run.Bytes), fmt.Sprint(told.Statuses,
		results.BodyBytes{In: told.In.Total, Out: told.Out.Total}); ours != theirs || ran < 14 {
		t.Errorf("%d commands; %s, by vegeta %s", ran, ours, theirs)
	}
}
