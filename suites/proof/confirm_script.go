package proof

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/curl"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/spec"
)

// ScriptConfirmed is the ScriptResult of a script that detects the fault.
const ScriptConfirmed = "yes"

// confirmScript runs the script of a finding with bash and curl. The script must exit with 1
// against the faulty gateway and with 0 against a healthy one with the same data. It returns
// ScriptConfirmed if it does, otherwise the exit codes and the last line.
func confirmScript(
	ctx context.Context, o reference.Options, faulty *suites.EmbeddedGateway, c *spec.CaseResult,
) (string, error) {
	script, possible := c.Script(faulty.Deployment)
	if !possible {
		return "no script", nil
	}
	o.Faults = nil
	healthy, err := suites.StartReference(ctx, o)
	if err != nil {
		return "", err
	}
	defer healthy.Close()
	text := script.Text()
	there, said, err := runScript(ctx, text, faulty.Deployment)
	if err != nil {
		return "", err
	}
	gone, also, err := runScript(ctx, text, healthy.Deployment)
	switch {
	case err != nil:
		return "", err
	case there == 1 && gone == 0:
		return ScriptConfirmed, nil
	case there == 1:
		said = also
	}
	return fmt.Sprintf("faulty %d, healthy %d: %s", there, gone, said), nil
}

const maxScriptDuration = 90 * time.Second

// runScript runs a script against a deployment and returns its exit code and its last line.
func runScript(
	ctx context.Context, text string, dep *deployment.File,
) (code int, last string, _ error) {
	ctx, stop := context.WithTimeout(ctx, maxScriptDuration)
	defer stop()
	file, err := os.CreateTemp("", "gateassay-*.sh")
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return 0, "", err
	}
	command := exec.CommandContext(ctx, "bash", file.Name()) //nolint:gosec // our own script
	command.WaitDelay = time.Second
	command.Env = append(os.Environ(), "GATEWAY_URL="+dep.BaseURL)
	for _, cred := range dep.AllCredentials() {
		command.Env = append(command.Env, curl.CredentialVariable(cred).Variable+"="+cred.Value)
	}
	out, err := command.CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	last = lines[len(lines)-1]
	if ended, is := errors.AsType[*exec.ExitError](err); is {
		return ended.ExitCode(), last, nil
	}
	return 0, last, err
}
