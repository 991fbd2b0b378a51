package gate

import (
	"github.com/invopop/jsonschema"

	"github.com/gateassay/gateassay/internal/yamlschema"
)

// Keys are the dotted keys of a policy.
func Keys() []string {
	var all []string
	yamlschema.Walk("", yamlschema.FromStruct(Policy{}, ""),
		func(path string, _ *jsonschema.Schema) { all = append(all, path) })
	return all
}
