package plan

import "github.com/gateassay/gateassay/gateway/diagnostic"

// Problem is one thing that is wrong with a plan.
type Problem = diagnostic.Problem

// Problems is the error of everything that reads a plan: all that is wrong, in the order of the file.
type Problems = diagnostic.Problems
