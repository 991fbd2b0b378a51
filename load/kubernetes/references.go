package kubernetes

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
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

	secrets map[string]string // of the file, by key
}

// Key is what a file is called in a Secret, whose keys hold no slash.
func (references) Key(file string) string { return strings.ReplaceAll(file, "/", "_") }

// unset stands for variables that are not known here: the pods have them.
const unset = "a-value-that-the-secret-holds"

// longEnough is how many characters of a credential give it away.
const longEnough = 12

// readDeployment reads a deployment file whose secrets may be absent here, and gives the text of it that pods may have:
// without comments, which nobody reads there and which may hold an old secret. One that holds a credential itself is
// refused: whoever may read pods could read it.
func readDeployment(
	name string, data []byte, lookup func(string) (string, bool),
) (*deployment.File, []byte, references, error) {
	r := references{name: name}
	env := func(name string) (string, bool) {
		if !slices.Contains(r.Names, name) {
			r.Names = append(r.Names, name)
		}
		if lookup != nil {
			if value, ok := lookup(name); ok && value != "" {
				return value, true
			}
		}
		return unset, true
	}
	d, err := deployment.Parse(name, filepath.Dir(name), data, env)
	if err != nil {
		return nil, nil, r, err
	}
	slices.Sort(r.Names)
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, nil, r, err
	}
	r.secrets = d.Secrets()
	if err := r.walk(&document, nil); err != nil {
		return nil, nil, r, err
	}
	if uncommented(&document) {
		if data, err = yaml.Marshal(&document); err == nil {
			d, err = deployment.Parse(name, filepath.Dir(name), data, env)
		}
	}
	if err != nil {
		return nil, nil, r, err
	}
	for key, value := range r.secrets {
		if len(value) >= longEnough && value != unset && strings.Contains(d.Name+string(data), value) {
			return nil, nil, r, fmt.Errorf("%s: %s: its value stands elsewhere in the file, and so would in the job", name, key)
		}
	}
	return d, data, r, nil
}

// uncommented removes the comments below a node, and reports whether there were any.
func uncommented(n *yaml.Node) bool {
	some := n.HeadComment+n.LineComment+n.FootComment != ""
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, child := range n.Content {
		some = uncommented(child) || some
	}
	return some
}

// public are keys below credentials whose values are not secrets.
var public = []string{"token_url", "client_id", "scope", "refresh"}

// walk finds files, and values that must not be seen. What an alias stands for is looked at under each of its keys;
// what was read as a deployment file is not deep, so this ends.
func (r *references) walk(n *yaml.Node, keys []string) error {
	switch n.Kind {
	case yaml.AliasNode:
		return r.walk(n.Alias, keys)
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i]
			if name.Kind == yaml.AliasNode {
				name = name.Alias
			}
			if err := r.walk(n.Content[i+1], append(slices.Clone(keys), name.Value)); err != nil {
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

// secret reports whether the value of a key is one, and whether that is so because the key is a credential's.
func (r *references) secret(keys []string) (is, credential bool) {
	if len(keys) == 0 {
		return false, false
	}
	if keys[0] == "credentials" || len(keys) > 1 && keys[0] == "load" && keys[1] == "credentials" {
		return !slices.Contains(public, keys[len(keys)-1]), true
	}
	_, is = r.secrets[strings.Join(keys, ".")]
	return is, false
}

// inTheOpen reports whether a secret is written out, beside references or without any. A few characters beside them,
// such as the name of a scheme, give none away.
func inTheOpen(value string) bool {
	parts := strings.Split(reference.ReplaceAllStringFunc(value, func(found string) string {
		if strings.HasPrefix(found, "$$") {
			return found // an escape
		}
		return "\x00"
	}), "\x00")
	return len(parts) == 1 || slices.ContainsFunc(parts, func(part string) bool { return len(part) >= longEnough })
}

var reference = regexp.MustCompile(`\$?\$\{[^}]*\}`)

func (r *references) scalar(n *yaml.Node, keys []string) error {
	key := strings.Join(keys, ".")
	secret, credential := r.secret(keys)
	value := n.Value
	if _, address, ok := strings.Cut(value, "://"); ok && key == "proxy" {
		_, value, _ = strings.Cut(address[:strings.LastIndex(address, "@")+1], ":") // its password
	}
	file, isFile := strings.CutPrefix(n.Value, "file:")
	if slices.Contains([]string{"tls.ca_file", "tls.client_cert", "tls.client_key"}, key) {
		file, isFile = n.Value, true
	}
	switch {
	case n.ShortTag() == "!!null":
	case isFile:
		file = filepath.ToSlash(filepath.Clean(file))
		if path.IsAbs(file) || strings.HasPrefix(file, "../") || strings.Contains(file, "${") {
			return fmt.Errorf("%s:%d: %s: expected a path below the folder of the deployment "+
				"file, which pods can be given, found %q", r.name, n.Line, key, file)
		}
		if !slices.Contains(r.Files, file) {
			r.Files = append(r.Files, file)
		}
	case credential && slices.Contains(keys, "command"):
		return fmt.Errorf("%s:%d: %s: no program can be run in the pods; give the credential as ${NAME}",
			r.name, n.Line, key)
	case secret && inTheOpen(value):
		return fmt.Errorf("%s:%d: %s: holds a secret, which anyone who may read the job could see; "+
			"write ${NAME}, and put the value into the Secret", r.name, n.Line, key)
	}
	return nil
}
