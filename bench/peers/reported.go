package peers

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
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
