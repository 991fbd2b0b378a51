package kubernetes

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/strictyaml"
)

// references lists the variables and files that a deployment file refers to.
type references struct {
	Names []string // of environment variables
	Files []string // paths below the folder of the deployment file, with slashes

	texts []string // all texts of the file
}

// Key returns the key of a file in a Secret. Keys cannot contain slashes.
func (references) Key(file string) string { return strings.ReplaceAll(file, "/", "_") }

// standInPrefix begins the placeholder of a variable that only the pods have. Each variable has
// a different placeholder, because two credentials must differ.
const standInPrefix = "a-value-that-the-secret-holds"

func standInValue(variable string) string { return standInPrefix + "(" + variable + ")" }

// readDeployment reads a deployment file without its secrets and returns its text for the pods.
// The text has no comments, which may contain an old secret. A file that contains a credential
// is an error, because anyone who may read pods could read it.
func readDeployment(name string, data []byte) (*deployment.File, []byte, references, error) {
	var r references
	d, err := deployment.Parse(name, filepath.Dir(name), data, func(name string) (string, bool) {
		if !slices.Contains(r.Names, name) {
			r.Names = append(r.Names, name)
		}
		return standInValue(name), true
	})
	var document yaml.Node
	if err == nil {
		err = yaml.Unmarshal(data, &document)
	}
	if err == nil {
		err = r.collectFrom(&document, "")
	}
	if err == nil && removeComments(&document) {
		data, err = yaml.Marshal(&document)
	}
	if err != nil {
		return nil, nil, r, err
	}
	slices.Sort(r.Names)
	r.texts = append(r.texts, d.Name, string(data))
	for key, secret := range d.Secrets() {
		if r.revealsSecret(key, secret) {
			return nil, nil, r, fmt.Errorf("%s: %s: the file holds the secret itself, which "+
				"anyone who may read the job could see; write ${NAME}, and put its value into "+
				"the Secret", name, key)
		}
	}
	for _, c := range d.AllCredentials() {
		if len(c.Command) > 0 {
			return nil, nil, r, fmt.Errorf("%s: %s: no program can be run in the pods; give the "+
				"credential as ${NAME}", name, c.SettingKey())
		}
	}
	return d, data, r, nil
}

// revealsSecret reports whether the file contains a secret, or much of it next to a reference. A
// few characters there, such as the name of a scheme, reveal nothing.
func (r *references) revealsSecret(key, secret string) bool {
	for _, variable := range r.Names {
		secret = strings.ReplaceAll(secret, standInValue(variable), standInPrefix)
	}
	parts := strings.Split(secret, standInPrefix)
	for _, text := range r.texts {
		if len(parts) == 1 && (text == secret ||
			key == "proxy" && strings.Contains(text, ":"+secret+"@")) {
			return true
		}
		for _, part := range parts {
			if len(part) >= strictyaml.MinSecretLength && strings.Contains(text, part) {
				return true
			}
		}
	}
	return false
}

func removeComments(n *yaml.Node) bool {
	some := n.HeadComment+n.LineComment+n.FootComment != ""
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, child := range n.Content {
		some = removeComments(child) || some
	}
	return some
}

func (r *references) collectFrom(n *yaml.Node, key string) error {
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode {
			if key = ""; i%2 == 1 {
				key = n.Content[i-1].Value
			}
		}
		if err := r.collectFrom(child, key); err != nil {
			return err
		}
	}
	if n.Kind != yaml.ScalarNode {
		return nil
	}
	r.texts = append(r.texts, n.Value)
	file, is := strings.CutPrefix(n.Value, "file:")
	if !is && !slices.Contains([]string{"ca_file", "client_cert", "client_key"}, key) {
		return nil
	}
	file = filepath.ToSlash(filepath.Clean(file))
	if path.IsAbs(file) || strings.HasPrefix(file, "../") || strings.Contains(file, "${") {
		return fmt.Errorf("line %d of the deployment file: expected a path below its folder, "+
			"which pods can be given, found %q", n.Line, file)
	}
	if !slices.Contains(r.Files, file) {
		r.Files = append(r.Files, file)
	}
	return nil
}
