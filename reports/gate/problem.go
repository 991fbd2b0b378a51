package gate

import "github.com/gateassay/gateassay/gateway/diagnostic"

// Problem is one thing that is wrong with a policy.
type Problem = diagnostic.Problem

// Problems is the error of Open and Parse: everything that is wrong with a policy, in the order of the file.
type Problems = diagnostic.Problems
