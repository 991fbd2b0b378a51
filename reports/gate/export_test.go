package gate

import (
	"github.com/invopop/jsonschema"

	"github.com/gateassay/gateassay/internal/strictyaml"
)

// Keys are the dotted keys of a policy.
func Keys() []string {
	var all []string
	strictyaml.Walk("", format(nil).Schema(), func(path string, _ *jsonschema.Schema) { all = append(all, path) })
	return all
}
