package description

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/settings"
)

// Propose returns the settings that a description suggests for a deployment file. The comment of
// a guessed value says why it is a guess. A setting without a value says what is missing.
func Propose(doc *openapi3.T) []settings.Line {
	p := &proposer{}
	p.proposeAddress(doc)
	all := (&schemaReader{maxSchemas}).operations(doc)
	create := p.findOperation("legal_representative.path", all, 8, func(o *operation) int {
		return len(matchPlaces(loadNameTables().Fields, o.body)) + 5*o.scoreName("represent")
	})
	if create != nil {
		p.addSetting("legal_representative.path", settings.Quote(create.path), "")
		p.proposeCreation(create)
	}
	upload := p.findOperation("legal_representative.documents.path", all, 2, func(o *operation) int {
		return min(len(o.fileParts()),
			1) * (len(matchPlaces(loadNameTables().Parts, o.fileParts())) + 3*o.scorePathBelow(create))
	})
	if upload != nil {
		p.proposeDocuments(upload)
	}
	export := p.findOperation("export.path", all, 6, func(o *operation) int {
		points := 2*o.scoreName("export") + 3*o.scoreName("quote", "cotac")
		for _, at := range o.body {
			if slices.Contains(exportFieldNames, at.dottedPath()) {
				points++
			}
		}
		return points
	})
	if export != nil {
		p.addSetting("export.path", settings.Quote(export.path), "")
	}
	file := p.findOperation("export.file.request", all, 3, func(o *operation) int {
		if o.method != http.MethodGet || strings.Count(o.path, "{") != 1 || o.scorePathBelow(create) > 0 {
			return 0
		}
		return 2*o.scoreName("file",
			"arquivo",
		) + o.scoreName("export", "download") + 3*o.scorePathBelow(export) + min(len(o.answer), 1)
	})
	if file != nil {
		p.proposeRetrieval(file)
	}
	return p.settings
}

// exportFieldNames are the documented fields of an export.
var exportFieldNames = strings.Fields(
	"sort order filter_type filter_text date_start date_end type_extension")

type proposer struct{ settings []settings.Line }

// addSetting adds a setting; why is empty if it is certain. A value that a deployment file cannot
// hold becomes a comment.
func (p *proposer) addSetting(key, value, why string) {
	one := settings.Line{Key: key, Value: value, Comment: why}
	if value != "" && why != "" {
		one.Comment = "guessed: " + why
	}
	if refusal := settings.Refusal(append(slices.Clone(p.settings), one)); refusal != "" {
		one.Value, one.Comment = "", "the description has "+printable.Quote(value)+": "+refusal
	}
	p.settings = append(p.settings, one)
}

// quoteList quotes texts as items of a list in YAML.
func quoteList(texts []string) string {
	var quoted []string
	for _, text := range texts {
		quoted = append(quoted, settings.Quote(text))
	}
	return strings.Join(quoted, ", ")
}

// proposeAddress proposes the name and the base URL.
func (p *proposer) proposeAddress(doc *openapi3.T) {
	if doc.Info != nil {
		p.addSetting("name", settings.Quote(doc.Info.Title), "")
	}
	if len(doc.Servers) == 0 {
		return
	}
	base, why := doc.Servers[0].URL, ""
	for name, variable := range doc.Servers[0].Variables {
		base = strings.ReplaceAll(base, "{"+name+"}", variable.Default)
		why = "with the defaults of its variables"
	}
	if len(doc.Servers) > 1 {
		why = "the first of several servers"
	}
	if u, err := url.Parse(base); err != nil || u.Host == "" {
		p.addSetting("base_url", "", "the address of the host, with "+base+" behind it")
	} else {
		p.addSetting("base_url", settings.Quote(base), why)
	}
}

const notFoundText = "not found: nothing in the description looks like it"

// findOperation returns the operation with the most points, or nil and a setting without value if
// none has enough.
func (p *proposer) findOperation(
	key string, all []*operation, enough int, points func(*operation) int,
) (best *operation) {
	for _, o := range all {
		if n := points(o); n >= enough {
			best, enough = o, n+1
		}
	}
	if best == nil {
		p.addSetting(key, "", notFoundText)
	}
	return best
}

// proposeMatches proposes the places of some settings.
func (p *proposer) proposeMatches(
	under string, meanings []keyMeaning, places []*place,
) map[string]keyMatch {
	found := matchPlaces(meanings, places)
	for _, m := range meanings {
		if one := found[m.Key]; one.at != nil {
			p.addSetting(under+m.Key, settings.Quote(one.at.dottedPath()), one.why)
		} else {
			p.addSetting(under+m.Key, "", notFoundText)
		}
	}
	return found
}

// proposeCreation proposes the headers and fields of the creation.
func (p *proposer) proposeCreation(o *operation) {
	p.proposeMatches("legal_representative.headers.", loadNameTables().Headers, o.headers)
	p.proposeEntries("headers", o.headers)
	fields := p.proposeMatches("legal_representative.fields.", loadNameTables().Fields, o.body)
	var types []string
	for _, m := range loadNameTables().Fields {
		if at := fields[m.Key].at; at != nil {
			asText, isText := at.hasType("string"), len(m.Types) == 0 || m.Types[0] == "string"
			asNumber := at.hasType("number") || at.hasType("integer")
			if asText != asNumber && (asText != isText || m.Key == "address.number") {
				kind := "number"
				if asText {
					kind = "string"
				}
				types = append(types, m.Key+": "+kind)
			}
		}
	}
	if len(types) > 0 {
		p.addSetting("legal_representative.field_types", "{"+strings.Join(types, ", ")+"}", "")
	}
}

// proposeEntries proposes, under one key, the values of other required headers or form parts.
func (p *proposer) proposeEntries(key string, all []*place) {
	var written, doubts []string
	for _, at := range all {
		switch {
		case !at.required || at.taken:
			continue
		case at.unique && strings.HasPrefix(key, "export.file"):
			at.values = []string{"{uuid}"}
		case len(at.values) == 0:
			p.addSetting(key+"."+at.dottedPath(), "", "requests need it, and nothing says what it holds")
			continue
		case len(at.values) > 1:
			doubts = append(doubts, at.dottedPath()+" may be "+strings.Join(at.values, ", "))
		}
		written = append(written, settings.Quote(at.dottedPath())+": "+settings.Quote(at.values[0]))
	}
	if len(written) > 0 {
		p.addSetting(key, "{"+strings.Join(written, ", ")+"}", strings.Join(doubts, "; "))
	}
}

var placeholderPattern = regexp.MustCompile(`\{[^{}]*\}`)

// proposeDocuments proposes how documents are uploaded.
func (p *proposer) proposeDocuments(o *operation) {
	const under = "legal_representative.documents."
	p.addSetting(under+"path", settings.Quote(placeholderPattern.ReplaceAllString(o.path, "{id}")), "")
	p.proposeMatches(under+"parts.", loadNameTables().Parts, o.fileParts())
	if files := o.fileParts(); len(files) > 1 && !slices.ContainsFunc(files,
		func(at *place) bool { return !at.choice }) {
		p.addSetting(under+"one_request_per_document", "true", "")
	}
	p.proposeEntries(under+"form",
		slices.DeleteFunc(o.form, func(at *place) bool { return at.file || len(at.path) > 1 }))
}

// proposeRetrieval proposes how the file of an export is fetched.
func (p *proposer) proposeRetrieval(o *operation) {
	const under = "export.file."
	p.addSetting(under+"request",
		settings.Quote("GET "+placeholderPattern.ReplaceAllString(o.path, "{file_id}")), "")
	p.proposeEntries(under+"headers", o.headers)
	if !slices.ContainsFunc(o.answer,
		func(at *place) bool { return p.proposeState(under+"state", at) }) && len(o.answer) > 0 {
		p.addSetting(under+"state.pointer", "", notFoundText)
	}
	if at := matchPlaces(loadNameTables().Addresses, o.answer)["url"]; at.at != nil {
		p.addSetting(under+"url", settings.Quote(at.at.jsonPointer()), at.why)
	}
}

// proposeState proposes the state of a file, if a place has known state values, and reports
// whether it did.
func (p *proposer) proposeState(key string, at *place) bool {
	meant := func(all string) []string {
		known := func(word string) bool { return slices.Contains(strings.Fields(all), word) }
		return slices.DeleteFunc(slices.Clone(at.values), func(state string) bool {
			return !slices.ContainsFunc(wordSet(strings.ToLower(state)), known)
		})
	}
	ready, why := meant(loadNameTables().Ready), ""
	if len(ready) > 1 {
		why = "there are " + strings.Join(at.values, ", ")
	}
	if len(ready) > 0 {
		p.addSetting(key, fmt.Sprintf("{pointer: %s, ready: [%s], failed: [%s]}",
			settings.Quote(at.jsonPointer()), quoteList(ready), quoteList(meant(loadNameTables().Failed))),
			why)
	}
	return len(ready) > 0
}

func (p *place) jsonPointer() string {
	var all jsontext.Pointer
	for _, name := range p.path {
		all = all.AppendToken(name)
	}
	return string(all)
}
