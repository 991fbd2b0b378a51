package gate

import _ "embed" // the policy

// First is a policy to begin with, as commented YAML.
//
//go:embed first.yaml
var First []byte
