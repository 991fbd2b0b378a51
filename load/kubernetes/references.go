package kubernetes

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// references are what a deployment file does not hold itself.
type references struct {
	name  string   // of the deployment file
	Names []string // of environment variables
	Files []string // paths below the folder of the deployment file, with slashes
}

// Key is what a file is called in a Secret, whose keys hold no slash.
func (references) Key(file string) string { return strings.ReplaceAll(file, "/", "_") }

// unset stands for variables that are not known here: the pods have them.
const unset = "a-value-that-the-secret-holds"

// readDeployment reads a deployment file whose secrets may be absent here. One that holds a credential itself is
// refused: whoever may read pods could read it.
func readDeployment(
	name string, data []byte, lookup func(string) (string, bool),
) (*deployment.File, references, error) {
	r := references{name: name}
	d, err := deployment.Parse(name, filepath.Dir(name), data, func(name string) (string, bool) {
		if !slices.Contains(r.Names, name) {
			r.Names = append(r.Names, name)
		}
		if lookup != nil {
			if value, ok := lookup(name); ok && value != "" {
				return value, true
			}
		}
		return unset, true
	})
	if err != nil {
		return nil, r, err
	}
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, r, err
	}
	slices.Sort(r.Names)
	return d, r, r.walk(&document, nil)
}

// public are keys below credentials whose values are not secrets.
var public = []string{"token_url", "client_id", "scope", "refresh"}

// walk finds files, and values that must not be seen.
func (r *references) walk(n *yaml.Node, keys []string) error {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if err := r.walk(n.Content[i+1], append(slices.Clone(keys), n.Content[i].Value)); err != nil {
				return err
			}
		}
	case yaml.ScalarNode:
		return r.scalar(n, keys)
	default:
		for _, child := range n.Content {
			if err := r.walk(child, keys); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *references) scalar(n *yaml.Node, keys []string) error {
	key, last := strings.Join(keys, "."), keys[max(0, len(keys)-1):]
	file, isFile := strings.CutPrefix(n.Value, "file:")
	if slices.Contains([]string{"tls.ca_file", "tls.client_cert", "tls.client_key"}, key) {
		file, isFile = n.Value, true
	}
	switch {
	case isFile:
		file = filepath.ToSlash(filepath.Clean(file))
		if path.IsAbs(file) || strings.HasPrefix(file, "../") || strings.Contains(file, "${") {
			return fmt.Errorf("%s:%d: %s: expected a path below the folder of the deployment "+
				"file, which pods can be given, found %q", r.name, n.Line, key, file)
		}
		if !slices.Contains(r.Files, file) {
			r.Files = append(r.Files, file)
		}
	case len(keys) > 1 && keys[0] == "credentials" && slices.Contains(keys, "command"):
		return fmt.Errorf("%s:%d: %s: no program runs in the pods; give the credential as ${NAME}",
			r.name, n.Line, key)
	case len(keys) > 1 && keys[0] == "credentials" && !slices.Contains(public, last[0]) &&
		!strings.Contains(n.Value, "${"):
		return fmt.Errorf("%s:%d: %s: holds a secret, which whoever may read the job could see; "+
			"write ${NAME}, and the value into the Secret", r.name, n.Line, key)
	}
	return nil
}
