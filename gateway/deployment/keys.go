package deployment

// kind is what a key's value must look like.
type kind int

const (
	mapping    kind = iota // fixed keys
	text                   // -> *string
	whole                  // -> *int
	number                 // -> *float64
	boolean                // -> *bool
	duration               // -> *time.Duration
	instant                // -> *time.Time, RFC 3339
	date                   // -> *time.Time, YYYY-MM-DD
	texts                  // a list of text -> *[]string
	textMap                // free keys, text values -> *map[string]string
	namedTexts             // fixed keys, text values -> *map[string]string
	credential             // text, or {bearer: ...} or {api_key: ...} -> **Credential
	credentials            // a list of these -> *[]*Credential
	mappings               // a list of mappings with fixed keys
)

// key describes one key of the deployment file. The reader, the template, the JSON Schema and the reference all come
// from this one description.
type key struct {
	name     string
	kind     kind
	required bool // within its mapping, once that is given
	optional bool // a mapping whose defaults hold only once it is given
	keys     []key
	into     func(*target) any // where the value goes; the type follows from kind
	check    check             // what the text must satisfy, nil: nothing
	checkKey check             // the same for the keys of textMap
	least    float64           // of whole, number, in seconds of duration
	above    bool              // the value must be above least, not only equal
	pattern  string            // for editors: a regular expression that the plain text matches
	secret   bool              // never shown

	doc     string // what it means, whole sentences
	unlocks string // which rules it makes verifiable
	preset  string // the default, as YAML; empty: none
	sample  string // the value in the template where preset does not serve, as YAML
}

// target is what values are written to: the file, and the list element that is being read.
type target struct {
	file   *File
	waiver *Waiver
}

// child finds a key by name.
func (k *key) child(name string) *key {
	for i := range k.keys {
		if k.keys[i].name == name {
			return &k.keys[i]
		}
	}
	return nil
}

func (k *key) names() []string {
	names := make([]string, len(k.keys))
	for i := range k.keys {
		names[i] = k.keys[i].name
	}
	return names
}

// dotted joins a key to the path of its mapping.
func dotted(parent, name string) string {
	if parent == "" {
		return name
	}
	return parent + "." + name
}

// document describes the whole file.
func document() *key {
	return &key{
		kind: mapping,
		keys: []key{
			{
				name: "name", kind: text, required: true, check: isName,
				into:   func(t *target) any { return &t.file.Name },
				doc:    "What reports call this deployment.",
				sample: "staging",
			},
			{
				name: "base_url", kind: text, required: true, check: isBaseURL,
				into:   func(t *target) any { return &t.file.BaseURL },
				doc:    "Where the gateway is: http or https, a host, and the path before the documented ones if there is any.",
				sample: "${GATEWAY_URL}",
			},
			credentialKeys(),
			legalRepresentativeKeys(),
			exportKeys(),
			fixtureKeys(),
			limitKeys(),
			loadKeys(),
			tlsKeys(),
			waiverKeys(),
		},
	}
}
