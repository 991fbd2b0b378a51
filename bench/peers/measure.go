package peers

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"time"
)

// Used is what a generator's process took.
type Used struct {
	Printed []byte
	CPU     time.Duration // user and system
	PeakMiB float64       // resident, at most; 0 where the system does not tell
}

// Run runs a generator to its end. It is killed, with an error, when that takes longer than patience.
func Run(ctx context.Context, bin string, t Tool, j Job, patience time.Duration) (Used, error) {
	args, err := t.Args(j)
	if err != nil {
		return Used{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, args...) // #nosec G204: built by Build
	var out, trouble bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Dir = &out, &trouble, j.Dir
	if err := cmd.Run(); err != nil {
		return Used{}, fmt.Errorf("%s: %w\n%s", t.Name, err, tail(trouble.Bytes()))
	}
	u := Used{Printed: out.Bytes(), CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	u.PeakMiB = peakMiB(cmd.ProcessState)
	return u, nil
}

func tail(b []byte) []byte { return b[max(0, len(b)-2000):] }
