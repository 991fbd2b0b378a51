package control_test

import (
	"testing"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Whoever completes a rule's name or lists the catalogue makes controls as well, and sends nothing.
func BenchmarkNew(b *testing.B) {
	dep, err := deployment.Parse("x.yaml", b.TempDir(), []byte("name: x\nbase_url: http://127.0.0.1:1\n"+
		"credentials: {platform_token: main-token-0123456789, api_key: key-0123456789}\n"+optional),
		func(string) (string, bool) { return "", false })
	if err != nil {
		b.Fatal(err)
	}
	c, err := client.New(dep, client.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	for b.Loop() {
		control.New(spec.New(spec.Options{}), target.New(dep, c, 6))
	}
}
