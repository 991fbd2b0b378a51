package peers

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// ReadReport reads what our own generator printed.
func ReadReport(printed []byte) (Report, error) {
	var r Report
	if err := json.Unmarshal(printed, &r); err != nil {
		return r, fmt.Errorf("the generator printed no report: %w", err)
	}
	return r, nil
}

func ownP99(_ string, _ Job, printed []byte) (time.Duration, error) {
	r, err := ReadReport(printed)
	return time.Duration(r.ResponseP99MS * float64(time.Millisecond)), err
}

func vegetaP99(bin string, j Job, _ []byte) (time.Duration, error) {
	// #nosec G204: built by Build
	out, err := exec.Command(bin, "report", "-type", "json", filepath.Join(j.Dir, "results.bin")).Output()
	if err != nil {
		return 0, fmt.Errorf("vegeta report: %w", err)
	}
	var v struct {
		Latencies struct {
			P99 int64 `json:"99th"`
		}
	}
	if err := json.Unmarshal(out, &v); err != nil {
		return 0, err
	}
	return time.Duration(v.Latencies.P99), nil
}

func k6P99(_ string, j Job, _ []byte) (time.Duration, error) {
	var v struct {
		Metrics map[string]map[string]any
	}
	if err := readJSON(filepath.Join(j.Dir, "summary.json"), &v); err != nil {
		return 0, err
	}
	ms, ok := v.Metrics["http_req_duration"]["p(99)"].(float64)
	if !ok {
		return 0, errors.New("k6 wrote no p(99) of http_req_duration")
	}
	return time.Duration(ms * float64(time.Millisecond)), nil
}

func fortioP99(_ string, j Job, _ []byte) (time.Duration, error) {
	var v struct {
		DurationHistogram struct {
			Percentiles []struct{ Percentile, Value float64 }
		}
	}
	if err := readJSON(filepath.Join(j.Dir, "fortio.json"), &v); err != nil {
		return 0, err
	}
	for _, p := range v.DurationHistogram.Percentiles {
		if p.Percentile == 99 {
			return time.Duration(p.Value * float64(time.Second)), nil
		}
	}
	return 0, errors.New("fortio wrote no 99th percentile")
}

var heyLine = regexp.MustCompile(`(?m)^\s*99%+ in ([0-9.]+) secs`)

func heyP99(_ string, _ Job, printed []byte) (time.Duration, error) {
	m := heyLine.FindSubmatch(printed)
	if m == nil {
		return 0, errors.New("hey printed no 99th percentile")
	}
	s, err := strconv.ParseFloat(string(m[1]), 64)
	return time.Duration(s * float64(time.Second)), err
}

func readJSON(path string, into any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}
