// Command gateassay-cloud is gateassay with support for buckets and OTLP.
package main

import (
	"os"

	"github.com/gateassay/gateassay/cmd"
)

func main() { os.Exit(cmd.Run(cmd.Extensions{Buckets: openBucket, Exporter: newExporter})) }
