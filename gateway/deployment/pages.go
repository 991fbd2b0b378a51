package deployment

import (
	"bytes"
	"encoding/json"

	"github.com/invopop/jsonschema"
)

// Schema is the JSON Schema (draft 2020-12) of the deployment file, for editors.
func Schema() ([]byte, error) {
	root := format().Root(File{}).Schema()
	root.Version = jsonschema.Version
	root.Title = "Deployment file of gateassay"
	root.Description = "Where a gateway is, which credentials and fixtures a run may use, " +
		"and the names that the API document leaves open."
	credentials, _ := root.Properties.Get("credentials")
	credentials.AnyOf = []*jsonschema.Schema{present("platform_token"), present("api_key")}
	data, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(bytes.TrimSpace(data), '\n'), nil
}

func present(name string) *jsonschema.Schema {
	s := &jsonschema.Schema{Properties: jsonschema.NewProperties(), Required: []string{name}}
	s.Properties.Set(name, &jsonschema.Schema{Not: &jsonschema.Schema{Type: "null"}})
	return s
}

// Example is the part of a deployment file that gives some keys, dotted as in "fixtures.client_id", with the values
// that the template shows: each mapping once, in the order of the template. What note says of a key becomes a comment
// above it. Keys that no deployment file has are left out.
func Example(keys []string, note func(key string) string) string {
	return format().Root(File{}).Example(keys, note)
}

// Reference is docs/deployment.md: every key with its type, its default, its meaning and what it unlocks.
func Reference() []byte {
	root := format().Root(File{})
	page := append([]byte(referenceHead), root.Reference("The deployment")...)
	page = append(page, root.Section("A credential", aboutCredentials, "credentials.platform_token")...)
	return append(page, referenceTail...)
}

const aboutCredentials = `Plain text is a bearer token, except under ` + "`api_key` and `revoked_api_key`" + `, where it is a
key. Otherwise it is a mapping that says how the value is given or obtained:

` + "```yaml" + `
credentials:
  platform_token: {command: [vault, read, -field=token, gateway], refresh: 10m}
  other_user:
    oauth2: {token_url: "https://login.example/token", client_id: gateassay, client_secret: "${CLIENT_SECRET}"}
` + "```" + `

What is obtained is obtained when a run begins and renewed in the background before it expires, amid load too. A run
that gets no credential sends nothing and ends with exit code 3. The token endpoint is asked through the same proxy,
with the same trusted certificates.`

const referenceHead = `# The deployment file

A deployment file says where a gateway is, which credentials and fixtures a run may use, and the names that the
API document leaves open. ` + "`name`, `base_url`" + ` and one credential are required. Everything else unlocks more rules: what is
missing leaves rules *not verified*, and the report names the key to add.

` + "```sh" + `
gateassay deployment init --out staging.yaml   # a file to begin with
gateassay deployment init --url https://gateway.example --token-env GATEWAY_TOKEN --out staging.yaml   # filled in by asking
gateassay deployment schema > deployment.schema.json   # completion and checks in an editor
gateassay doctor -d staging.yaml               # what can be verified, and what would stay open
` + "```" + `

An editor with a YAML language server checks the file while it is written, with this as the first line:

` + "```yaml" + `
# yaml-language-server: $schema=deployment.schema.json
` + "```" + `

## Values

- Any text may hold ` + "`${NAME}`" + `, the value of an environment variable, anywhere and more than once. ` + "`$${`" + ` stands for the two
  characters ` + "`${`" + `. An unset variable is an error; so is an empty one where a credential is expected.
- A text that begins with ` + "`file:`" + ` is replaced by what that file holds, without the newline at its end. The path is looked up
  from the folder of the deployment file. At most 64 KiB are read.
- A number or a flag may come from the environment as well: ` + "`in_flight: ${IN_FLIGHT}`" + `.
- A key without a value, an empty text, list or mapping counts as not given: its default holds.
- Durations carry their unit: ` + "`500ms`, `15s`, `2m`, `1d12h`" + `. Date-times carry their offset: ` + "`2025-01-01T00:00:00Z`" + `.
- Text that YAML would read as a number or a flag needs quotes: ` + "`client_id: \"0042\"`" + `.
- The file is one YAML document in UTF-8 of at most 1 MiB.
- It is a regular file, and so are the files that it names: pipes and devices are refused.

Every mistake is reported at once, with its line, column and key, what was expected and what was found. Values of credentials
never appear in these messages; neither does what came out of the environment or another file.

`

const referenceTail = `
Each waiver accepts the failure of the rules that it names until the end of its day. The rules still run, and the report shows
what they found.
`
