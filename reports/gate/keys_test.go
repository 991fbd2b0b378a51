package gate

import "github.com/gateassay/gateassay/gateway/strictyaml"

// Keys are the dotted keys of a policy.
func Keys() []string {
	var all []string
	format(nil).Root(Policy{}).Walk(func(path string, _ *strictyaml.Key) { all = append(all, path) })
	return all
}
