package kubernetes

import (
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// Whatever a deployment file looks like, the job that is made of it holds none of its secrets, and a file that can be
// read.
func FuzzRender(f *testing.F) {
	const known = "a-value-of-the-environment"
	for _, text := range []string{
		target, plain("credentials: {api_key: &k written-out-0123456789}\nfixtures: {client_id: *k}"),
		plain("credentials: # c\n  api_key: |-\n    ${K}\n  other_user: {bearer: \"a${K}\"}"),
		plain("credentials: {api_key: ${K}}\nproxy: http://u:%41${K}@h:1\nheaders: {x-token: 'it''s-in-the-open'}"),
		"name: \"${N} # x\"\nbase_url: http://h\ncredentials: {api_key: {oauth2: {token_url: http://h, client_id: c, client_secret: ${K}}}}",
	} {
		f.Add(text)
	}
	dir := f.TempDir()
	lookup := func(string) (string, bool) { return known, true }
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(dir, "d.yaml")
		manifest, err := Render(Options{
			Image: "i", Results: "pvc:r", Shards: 2, Plan: []byte("rate: 1/s\nduration: 1s\n"), PlanPath: "p.yaml",
			Deployment: []byte(text), DeploymentPath: path, Lookup: lookup,
		})
		if err != nil {
			return
		}
		var j job
		if err := yaml.Unmarshal(manifest, &j); err != nil {
			t.Fatalf("%v in\n%s", err, manifest)
		}
		given := []byte(j.Spec.Template.Metadata.Annotations["gateassay/deployment.yaml"])
		d, err := deployment.Parse(path, dir, given, lookup)
		if err != nil {
			t.Fatalf("%v in\n%s", err, given)
		}
		var said []string
		var collect func(n *yaml.Node)
		collect = func(n *yaml.Node) {
			said = append(said, n.Value, n.HeadComment, n.LineComment, n.FootComment)
			for _, child := range n.Content {
				collect(child)
			}
		}
		var document yaml.Node
		if err := yaml.Unmarshal(given, &document); err != nil {
			t.Fatal(err)
		}
		collect(&document)
		said = append(said, string(manifest))
		for key, secret := range d.Secrets() {
			if all := strings.Join(said, "\n"); len(secret) >= longEnough && strings.Contains(all, secret) {
				t.Errorf("%s, %q, stands in\n%s", key, secret, manifest)
			}
		}
	})
}
