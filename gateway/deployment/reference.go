package deployment

import (
	"bytes"
	"fmt"
	"strings"
)

// Reference is docs/deployment.md: every key with its type, its default, its meaning and what it unlocks.
func Reference() []byte {
	var b bytes.Buffer
	b.WriteString(referenceHead)
	root := document()
	b.WriteString("## The deployment\n\n")
	table(&b)
	for i := range root.keys {
		if k := &root.keys[i]; k.kind == text {
			k.row(&b, "")
		}
	}
	for i := range root.keys {
		k := &root.keys[i]
		if k.kind == text {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", k.name, k.doc)
		table(&b)
		k.rows(&b, k.name)
	}
	b.WriteString(referenceTail)
	return b.Bytes()
}

func table(b *bytes.Buffer) {
	b.WriteString("| key | type | default | meaning | unlocks |\n|---|---|---|---|---|\n")
}

// rows adds a line for every key below this one.
func (k *key) rows(b *bytes.Buffer, path string) {
	if k.kind == mappings {
		path += "[]"
	}
	if k.name == "field_types" { // one line for names that differ in nothing
		fmt.Fprintf(b, "| `%s.<name>` | `number` or `string` | – | Any name of `fields` except address. | – |\n", path)
		return
	}
	for i := range k.keys {
		k.keys[i].row(b, path)
	}
}

func (k *key) row(b *bytes.Buffer, path string) {
	path = dotted(path, k.name)
	preset := "–"
	if k.preset != "" {
		preset = "`" + k.preset + "`"
	}
	if k.required {
		preset = "required"
	}
	unlocks := k.unlocks
	if unlocks == "" {
		unlocks = "–"
	}
	cells := []string{"`" + path + "`", k.kindName(), preset, k.doc, unlocks}
	for i, cell := range cells {
		cells[i] = strings.NewReplacer("|", "\\|", "*", "\\*").Replace(cell)
		if i == 0 || i == 2 {
			cells[i] = strings.ReplaceAll(cell, "|", "\\|") // code needs no further escape
		}
	}
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	k.rows(b, path)
}

func (k *key) kindName() string {
	switch k.kind {
	case mapping, namedTexts:
		return "mapping"
	case textMap:
		return "mapping of names to text"
	case mappings:
		return "list of mappings"
	case texts:
		return "list of text"
	case whole:
		return "whole number"
	case number:
		return "number"
	case boolean:
		return "true or false"
	case duration:
		return "duration"
	case instant:
		return "date-time"
	case date:
		return "date"
	case credentials:
		return "list of credentials"
	case credential:
		return "credential"
	}
	if k.pattern == uuidPattern {
		return "UUID"
	}
	return "text"
}

const referenceHead = `# The deployment file

A deployment file tells gateassay where a gateway is, which credentials and fixtures a run may use, and the names that the
API document leaves open. ` + "`name`, `base_url`" + ` and one credential are required. Everything else unlocks more rules: what is
missing leaves rules *not verified*, and the report names the key to add.

` + "```sh" + `
gateassay deployment init --out staging.yaml   # a commented file to begin with
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
- Durations carry their unit: ` + "`500ms`, `15s`, `2m`" + `. Date-times carry their offset: ` + "`2025-01-01T00:00:00Z`" + `.
- Text that YAML would read as a number or a flag needs quotes: ` + "`client_id: \"0042\"`" + `.
- The file is one YAML document in UTF-8 of at most 1 MiB.

Every mistake is reported at once, with its line, column and key, what was expected and what was found. Values of credentials
never appear in these messages; neither does what came out of the environment or another file.

`

const referenceTail = `
Each waiver accepts the failure of the rules that it names until the end of its day. The rules still run, and the report shows
what they found.
`
