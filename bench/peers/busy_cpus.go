package peers

import (
	"context"
	"os/exec"
)

// BusyCPUs keeps n CPUs busy until the function it returns is called, with a process for each.
func BusyCPUs(ctx context.Context, n int) (end func(), err error) {
	var loops []*exec.Cmd
	end = func() {
		for _, loop := range loops {
			_ = loop.Process.Kill()
			_ = loop.Wait()
		}
	}
	for range n {
		loop := exec.CommandContext(ctx, "sh", "-c", "while :; do :; done")
		if err = loop.Start(); err != nil {
			break
		}
		loops = append(loops, loop)
	}
	return end, err
}
