package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/internal/testmust"
)

// nobody is a deployment that does not exist.
const nobody = "name: nobody\nbase_url: http://127.0.0.1:1\ncredentials: {api_key: none-at-all}\n"

// step is a step of action.yml.
type step struct {
	ID, Name, If, Run string
	Env               map[string]string
}

var expression = regexp.MustCompile(`\$\{\{ (.*?) \}\}`)

// perform runs the steps of the action as a runner does, except the build, and returns the exit
// code of the last.
func perform(t *testing.T, dir string, inputs map[string]string) (code int, summary string) {
	t.Helper()
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct{ Steps []step }
	}
	testmust.Succeed(t,
		yaml.Load(testmust.Get(os.ReadFile(filepath.Join("..", "action.yml")))(t), &action))
	known := map[string]string{}
	for name, input := range action.Inputs {
		known["inputs."+name] = input.Default
	}
	for name, value := range inputs {
		known["inputs."+name] = value
	}
	for _, s := range action.Runs.Steps {
		if name, only := strings.CutSuffix(s.If, " != ''"); s.Run == "" || s.Name == "Build" ||
			only && known[name] == "" {
			continue
		}
		c := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
		output := filepath.Join(t.TempDir(), "output")
		c.Dir = dir
		c.Env = append(os.Environ(), "GITHUB_OUTPUT="+output,
			"GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary.md"))
		for name, value := range s.Env {
			c.Env = append(c.Env, name+"="+expression.ReplaceAllStringFunc(value,
				func(found string) string { return known[expression.FindStringSubmatch(found)[1]] }))
		}
		said, err := c.CombinedOutput()
		if code = c.ProcessState.ExitCode(); err != nil && s.Name != "Verdict" {
			t.Fatalf("%s: %v\n%s", s.Name, err, said)
		}
		for line := range strings.Lines(string(read(output))) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			known["steps."+s.ID+".outputs."+name] = value
		}
	}
	return code, known["steps.conform.outputs.verdict"] + "\n" + string(read(filepath.Join(dir,
		"summary.md")))
}

func TestTheActionDecides(t *testing.T) {
	for name, c := range map[string]struct {
		inputs map[string]string
		code   int
		says   []string
	}{
		"by the run": {
			map[string]string{"plan": "plan.yaml", "strict": "true"}, 0, []string{"conformant\n", "Load on"},
		},
		"by a policy": {
			map[string]string{"deployment": "nobody.yaml", "policy": "gate.yaml"},
			3,
			[]string{"inconclusive\n", "not decided"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, text := range map[string]string{
				"nobody.yaml": nobody, "plan.yaml": "rate: 20/s\nduration: 2s\n",
				"gate.yaml": "name: test\nmax_age: 1h\nconformance: {verified: [must]}\n",
			} {
				testmust.WriteFile(t, filepath.Join(dir, file), text)
			}
			code, said := perform(t, dir, c.inputs)
			for _, part := range c.says {
				testmust.Equal(t, code, c.code)
				testmust.Contain(t, said, part)
			}
		})
	}
}

// gitlab-ci-local expands the component with inputs and validates it against GitLab's schema.
func TestTheComponentRuns(t *testing.T) {
	t.Parallel()
	local := testmust.Get(filepath.Abs(filepath.Join("..", "tools", "node_modules", ".bin",
		"gitlab-ci-local")))(t)
	if _, err := os.Stat(local); err != nil {
		t.Fatal("gitlab-ci-local is missing; make browser installs it")
	}
	dir := t.TempDir()
	for file, text := range map[string]string{
		"nobody.yaml": nobody, "gate.yaml": "name: test\nmax_age: 1h\nconformance: {verified: [must]}\n",
		"gateassay.yml": string(testmust.Get(os.ReadFile(filepath.Join("..", "templates",
			"gateassay.yml")))(t)),
		".gitlab-ci.yml": "include:\n  - local: gateassay.yml\n    inputs: {deployment: nobody.yaml, " +
			"policy: gate.yaml, strict: true}\n",
	} {
		testmust.WriteFile(t, filepath.Join(dir, file), text)
	}
	run := func(command string, env ...string) (string, error) {
		c := exec.Command("bash", "-eo", "pipefail", "-c", command)
		c.Dir, c.Env = dir, append(os.Environ(), env...)
		said, err := c.CombinedOutput()
		return string(said), err
	}
	said := testmust.Get(
		run("git init -q -b main && git remote add origin git@gitlab.example:a/b.git && git add . && " +
			"git -c user.name=a -c user.email=a@example.com commit -qm a && " + local + " --preview"),
	)(t)
	_, preview, _ := strings.Cut(said, "---\n")
	var pipeline struct {
		Gateassay struct {
			Variables map[string]string
			Script    []string
		}
	}
	testmust.Succeed(t, yaml.Load([]byte(preview), &pipeline))
	var env []string
	for name, value := range pipeline.Gateassay.Variables {
		env = append(env, name+"="+value)
	}
	out, err := run(strings.Join(pipeline.Gateassay.Script, "\n"), env...)
	for text, part := range map[string]string{said: "json schema " +
		"validated", out: "test: not decided"} {
		if err == nil || !strings.Contains(text, part) {
			t.Errorf("%v: %q is missing in\n%s", err, part, text)
		}
	}
	if len(read(filepath.Join(dir, "gateassay-runs", "gate.xml"))) == 0 {
		t.Error("no decision is kept")
	}
}
