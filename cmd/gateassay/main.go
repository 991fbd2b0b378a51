// Command gateassay tests deployments of the payments gateway API and puts load on them.
package main

import (
	"os"

	"github.com/gateassay/gateassay/cmd"
)

func main() { os.Exit(cmd.Run(cmd.Extensions{})) }
