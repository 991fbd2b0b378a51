package deployment

import (
	"bytes"
	"slices"
	"strings"
)

// Setting is a line of a deployment file: a dotted key, its value in YAML and a comment. Either may be empty.
type Setting struct{ Key, Value, Comment string }

// Beginning are the settings that a deployment file begins with: those that unlock most rules.
func Beginning() []Setting {
	return []Setting{
		{"name", "staging", "what reports call this deployment"},
		{"base_url", "${GATEWAY_URL}", "such as https://gateway.example"},
		{"credentials.platform_token", "${GATEWAY_TOKEN}", "from the environment: keep secrets out of this file"},
		{"fixtures.shareholder_id", "", "UUID of a shareholder of that user: unlocks create.*"},
		{"fixtures.window", "", "two dates with at least 20 quotes between them: unlocks export.range.* and others"},
		{"fixtures.window.start", "", "such as 2025-01-01T00:00:00Z"},
		{"fixtures.window.end", "", "such as 2025-02-01T00:00:00Z"},
		{"export.file", "", "how a finished file is fetched: unlocks export.file.*"},
		{"export.file.request", "", "such as GET /v1/files/{file_id}"},
	}
}

const (
	templateHead = `# Deployment file of gateassay. Fill in what is empty, then: gateassay doctor -d THIS_FILE
# What stays empty leaves rules unverified; every other setting is below, commented out.
`
	templateRest = `
# ------------------------------------------------------------------------------------------------
# All settings. To use one, copy it up, below its parent key and indented as here. If the parent key is
# not in use above, remove the # in front of both of them here instead. Defaults are shown as they are;
# other values are examples. Any text may contain ${NAME} (an environment variable; $${ is a literal
# ${) or be file:PATH (the content of a file).
`
)

// With returns the settings with others: those of the same keys are replaced.
func With(settings, others []Setting) []Setting {
	settings = slices.Clone(settings)
	for _, o := range others {
		at := slices.IndexFunc(settings, func(s Setting) bool { return s.Key == o.Key })
		if at < 0 {
			settings = append(settings, o)
			continue
		}
		settings[at] = o
	}
	return settings
}

// Template is a deployment file that begins with some settings; every setting with its meaning follows, commented out.
func Template(settings []Setting) []byte {
	var b bytes.Buffer
	b.WriteString(templateHead)
	write(&b, "", settings)
	b.WriteString(templateRest)
	b.Write(format().Commented())
	return b.Bytes()
}

// write writes settings whose keys are relative to one mapping, those of each inner mapping together.
func write(b *bytes.Buffer, indent string, settings []Setting) {
	var names []string
	lines, inner := map[string]Setting{}, map[string][]Setting{}
	for _, s := range settings {
		name, rest, deeper := strings.Cut(s.Key, ".")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		if s.Key = rest; deeper {
			inner[name] = append(inner[name], s)
		} else {
			lines[name] = s
		}
	}
	for _, name := range names {
		b.WriteString(indent + name + ":")
		if value := lines[name].Value; value != "" {
			b.WriteString(" " + value)
		}
		if comment := lines[name].Comment; comment != "" {
			b.WriteString("  # " + comment)
		}
		b.WriteString("\n")
		write(b, indent+"  ", inner[name])
	}
}
