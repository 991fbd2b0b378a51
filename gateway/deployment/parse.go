package deployment

import (
	"os"
	"path/filepath"
	"regexp"

	"github.com/gateassay/gateassay/internal/creationfields"
	"github.com/gateassay/gateassay/internal/strictyaml"
)

const missingFileHint = "gateassay deployment init --out FILE writes one to begin with"

var secretKeyPattern = regexp.MustCompile(`(?i)credential|token|api.?key|bearer|secret|password|` +
	`authorization|cookie|unprivileged|other_user`)

// fileFormat returns the format of deployment files.
func fileFormat() *strictyaml.Format {
	return &strictyaml.Format{
		Name: "deployment file", Example: File{}, Begin: missingFileHint,
		Texts: scalarFormats(), Secret: secretKeyPattern,
	}
}

// Load reads a deployment file. References are resolved in the environment and in the file's
// folder. The error is a *strictyaml.Problems that lists everything that is wrong.
func Load(path string) (*File, error) {
	data, err := Read(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, filepath.Dir(path), data, os.LookupEnv)
}

// Read returns the content of a deployment file, which must be a regular file of bounded size.
// The error is a *strictyaml.Problems.
func Read(path string) ([]byte, error) { return fileFormat().Read(path) }

// Parse parses a deployment file. name is its name in problems, dir the folder for relative
// paths, env looks up a variable. The error is a *strictyaml.Problems that lists everything
// that is wrong.
func Parse(name, dir string, data []byte, env func(string) (string, bool)) (*File, error) {
	file := &File{}
	r := strictyaml.NewReader(fileFormat(), name, dir, env)
	err := r.Parse(data, file, func() {
		file.isGiven, file.isReference = r.Has, r.IsReference
		file.LegalRepresentative.Fields = creationfields.RequestPaths(file.LegalRepresentative.Fields)
		(&crossCheck{r, file, dir}).checkAndComplete()
	})
	if err != nil {
		return nil, err
	}
	return file, nil
}
