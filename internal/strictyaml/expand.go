package strictyaml

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gateassay/gateassay/internal/runfolder"
)

const maxFileBytes = 1 << 20 // of a document, and of a file that it refers to

// MinSecretLength is the minimum length of a referenced value that counts as a secret. Shorter
// ones may be ordinary words, such as the name of an environment.
const MinSecretLength = 12

var referencePattern = regexp.MustCompile(`\$?\$\{([A-Za-z_][A-Za-z0-9_]*\})?`)

// expand expands the references in a text: ${NAME} to an environment variable, $${ to a plain ${,
// and file:PATH to the content of a file without the newline at its end. If the text is a secret,
// an empty variable is an error. Errors say what to do and contain no value.
func (r *Reader) expand(raw string, secret bool) (text string, err error) {
	raw, isFile := strings.CutPrefix(raw, "file:")
	text = referencePattern.ReplaceAllStringFunc(raw, func(found string) string {
		name := strings.Trim(found, "${}")
		value, set := r.env(name)
		switch {
		case strings.HasPrefix(found, "$$"):
			return found[1:]
		case name == "":
			err = errors.New(
				"expected the ${NAME} of an environment variable, found something else; write " +
					"$${ for a plain ${")
		case !set:
			err = fmt.Errorf("%s is not set; export it before the run", name)
		case secret && value == "":
			err = fmt.Errorf("%s is empty; remove the key if it is not needed", name)
		}
		return value
	})
	if err != nil || !isFile {
		return text, err
	}
	at := text
	if !filepath.IsAbs(at) {
		at = filepath.Join(r.dir, at)
	}
	data, err := runfolder.ReadBounded(at, maxFileBytes)
	if err == nil {
		data, err = runfolder.StripBOM(data)
	}
	if err != nil { // the message already names the path
		return "", fmt.Errorf("the file %q cannot be read: %w", text, cmp.Or(errors.Unwrap(err), err))
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r"), nil
}
