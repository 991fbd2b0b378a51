package plan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/diagnostic"
)

// largest is how big a plan may be, in bytes.
const largest = 1 << 20

// Load reads a plan from a file, and what flags set over it. The error is a *Problems that lists everything that is wrong.
func Load(path string, flags ...Setting) (*Plan, error) {
	data, err := diagnostic.Read(path, largest, "plan", "without a file, give --rate and --duration or --preset")
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

// compose parses the YAML and gives the root of its only document, nil after a problem or for an empty one.
func (r *reader) compose(data []byte) *yaml.Node {
	whole := func(line, column int, expected, found, hint string) *yaml.Node {
		r.addAt(spot{r.from, line, column}, "", expected, found, hint)
		return nil
	}
	if len(data) > largest {
		r.from.lines = nil
		return whole(0, 0, fmt.Sprintf("at most %d bytes", largest), "more", "is this the plan?")
	}
	if !utf8.Valid(data) {
		return whole(0, 0, "text in UTF-8", "other bytes", "")
	}
	loader, err := yaml.NewLoader(bytes.NewReader(data))
	var document, next yaml.Node
	if err == nil {
		err = loader.Load(&document)
	}
	if errors.Is(err, io.EOF) {
		return whole(0, 0, "a plan", "an empty file", "begin with rate: 10/s and duration: 1m")
	}
	if err == nil {
		if err = loader.Load(&next); err == nil {
			return whole(next.Line, next.Column, "one YAML document", "a second one", "keep each plan in a file of its own")
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		message, line, column := err.Error(), 0, 0
		var load *yaml.LoadError
		if errors.As(err, &load) {
			message, line, column = load.Message, load.Mark.Line, load.Mark.Column
		}
		return whole(min(line, len(r.from.lines)), column, "YAML", "a mistake in it: "+message, "check the indentation, brackets and quotes")
	}
	if len(document.Content) == 0 || document.Content[0].ShortTag() == "!!null" {
		return whole(0, 0, "a plan", "an empty file", "begin with rate: 10/s and duration: 1m")
	}
	return document.Content[0]
}
