package plan

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/diagnostic"
)

var fileKind = diagnostic.Kind{Name: "plan", Largest: 1 << 20, Begin: "begin with rate: 10/s and duration: 1m", Absent: "without a file, give --rate and --duration or --preset"}

// Load reads a plan from a file, and what flags set over it. The error is a *Problems that lists everything that is wrong.
func Load(path string, flags ...Setting) (*Plan, error) {
	data, err := fileKind.Read(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data, flags...)
}

// Parse reads a plan from memory, and what flags set over it. name is what problems call it. The error is a *Problems.
func Parse(name string, data []byte, flags ...Setting) (*Plan, error) {
	r := newReader(name)
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	r.from.lines = diagnostic.Lines(string(data))
	r.at[""] = spot{from: &origin{name: name}}
	if root := r.compose(data); root != nil {
		r.mapping("", root, planFields())
	}
	return r.finish(flags)
}

// FromFlags makes a plan of flags alone; without any it is that of the preset smoke. The error is a *Problems.
func FromFlags(flags ...Setting) (*Plan, error) { return newReader("plan").finish(flags) }

// finish reads the flags over the file and checks the whole.
func (r *reader) finish(flags []Setting) (*Plan, error) {
	r.settings(flags)
	r.schedule()
	if len(r.problems.All) == 0 {
		for _, w := range r.draft.plan.check() {
			r.addAt(r.place(r.written(w.key)), r.written(w.key), w.expected, w.found, w.hint)
		}
	}
	if err := r.problemsOf(); err != nil {
		return nil, err
	}
	plan := r.draft.plan
	return &plan, nil
}

// written is the key that a person wrote for what is wrong with a stage: the simple forms have none.
func (r *reader) written(key string) string {
	if _, ok := r.at["stages"]; ok || !strings.HasPrefix(key, "stages") {
		return key
	}
	name := "rate"
	if strings.HasSuffix(key, ".for") {
		name = "duration"
	}
	if _, ok := r.at[name]; !ok {
		name = "preset"
	}
	return name
}

// compose parses the YAML and gives the root of its only document, nil after a problem.
func (r *reader) compose(data []byte) *yaml.Node {
	root, problem := fileKind.Document(data)
	if problem != nil {
		at := spot{r.from, min(problem.Line, len(r.from.lines)), problem.Column}
		r.addAt(at, "", problem.Expected, problem.Found, problem.Hint)
	}
	return root
}
