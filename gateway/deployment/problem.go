package deployment

import "github.com/gateassay/gateassay/gateway/diagnostic"

// Problem is one thing that is wrong with a deployment file.
type Problem = diagnostic.Problem

// Problems is the error of Load and Parse: everything that is wrong, in the order of the file.
type Problems = diagnostic.Problems
