package deployment

import (
	"regexp"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"

	"github.com/gateassay/gateassay/internal/yamlschema"
)

// inCredential matches keys of the long form of a credential, which the template does not show.
var inCredential = regexp.MustCompile(`^(credentials|load\.credentials)\..*`)

func TestEveryKeyHasADefaultOrASample(t *testing.T) {
	seen := map[string]bool{}
	yamlschema.Walk("", yamlschema.FromStruct(File{}, ""), func(path string, s *jsonschema.Schema) {
		seen[path] = true
		if s.Properties == nil && yamlschema.SampleValue(s) == "" && !inCredential.MatchString(path) {
			t.Errorf("%s has neither", path)
		}
	})
	for key := range loadKeyTables().Samples {
		if !seen[key] && !strings.HasPrefix(key, "oauth2.") {
			t.Errorf("there is no %s", key)
		}
	}
	for key := range loadKeyTables().Defaults {
		if !seen[key] {
			t.Errorf("there is no %s", key)
		}
	}
}
