package description

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/strictyaml"
)

// Propose finds what a description says of the keys of a deployment file. The comment of a value says why it is a guess, if
// it is one; a setting without a value says what is missing.
func Propose(doc *openapi3.T) []deployment.SettingLine {
	p := &proposer{}
	p.address(doc)
	all := (&reader{mostSchemas}).operations(doc)
	create := p.operation("legal_representative.path", all, 8, func(o *operation) int {
		return len(matched(names().Fields, o.body)) + 5*o.says("represent")
	})
	if create != nil {
		p.add("legal_representative.path", text(create.path), "")
		p.creation(create)
	}
	upload := p.operation("legal_representative.documents.path", all, 2, func(o *operation) int {
		return min(len(o.files()), 1) * (len(matched(names().Parts, o.files())) + 3*o.below(create))
	})
	if upload != nil {
		p.documents(upload)
	}
	export := p.operation("export.path", all, 6, func(o *operation) int {
		points := 2*o.says("export") + 3*o.says("quote", "cotac")
		for _, at := range o.body {
			if slices.Contains(exportFields, at.dotted()) {
				points++
			}
		}
		return points
	})
	if export != nil {
		p.add("export.path", text(export.path), "")
	}
	file := p.operation("export.file.request", all, 3, func(o *operation) int {
		if o.method != http.MethodGet || strings.Count(o.path, "{") != 1 || o.below(create) > 0 {
			return 0
		}
		return 2*o.says("file", "arquivo") + o.says("export", "download") + 3*o.below(export) + min(len(o.answer), 1)
	})
	if file != nil {
		p.file(file)
	}
	return p.settings
}

// exportFields are those of an export, which the API document names.
var exportFields = strings.Fields("sort order filter_type filter_text date_start date_end type_extension")

type proposer struct{ settings []deployment.SettingLine }

// add notes a value; why is empty where it is certain. One that a deployment file cannot hold is none.
func (p *proposer) add(key, value, why string) {
	one := deployment.SettingLine{Key: key, Value: value, Comment: why}
	if value != "" && why != "" {
		one.Comment = "guessed: " + why
	}
	usable := []deployment.SettingLine{
		{Key: "name", Value: "x"}, {Key: "base_url", Value: "http://x"}, {Key: "credentials.platform_token", Value: "x"},
	}
	for _, s := range append(p.settings, one) {
		if s.Value != "" {
			usable = deployment.ReplaceSettings(usable, []deployment.SettingLine{s})
		}
	}
	_, err := deployment.Parse("", ".", deployment.Template(usable), func(string) (string, bool) { return "", false })
	if wrong := (*strictyaml.Problems)(nil); errors.As(err, &wrong) {
		one.Value, one.Comment = "", "the description has "+printable.Quote(value)+": "+wrong.All[0].Message
	}
	p.settings = append(p.settings, one)
}

// text writes texts in YAML. A description must not name what a deployment file would look up on this machine.
func text(all ...string) string {
	for i, s := range all {
		if strings.HasPrefix(s, "file:") {
			s = " " + s
		}
		all[i] = strconv.Quote(strings.ReplaceAll(s, "${", "$${"))
	}
	return strings.Join(all, ", ")
}

// address says what the gateway is called and where it is.
func (p *proposer) address(doc *openapi3.T) {
	if doc.Info != nil {
		p.add("name", text(doc.Info.Title), "")
	}
	if len(doc.Servers) == 0 {
		return
	}
	base, why := doc.Servers[0].URL, ""
	for name, variable := range doc.Servers[0].Variables {
		base, why = strings.ReplaceAll(base, "{"+name+"}", variable.Default), "with the defaults of its variables"
	}
	if len(doc.Servers) > 1 {
		why = "the first of several servers"
	}
	if u, err := url.Parse(base); err != nil || u.Host == "" {
		p.add("base_url", "", "the address of the host, with "+base+" behind it")
	} else {
		p.add("base_url", text(base), why)
	}
}

const missing = "not found: nothing in the description looks like it"

// operation finds the one that has the most points, where they are enough, for a key.
func (p *proposer) operation(key string, all []*operation, enough int, points func(*operation) int) (best *operation) {
	for _, o := range all {
		if n := points(o); n >= enough {
			best, enough = o, n+1
		}
	}
	if best == nil {
		p.add(key, "", missing)
	}
	return best
}

// matched notes where something is.
func (p *proposer) matched(under string, meanings []meaning, places []*place) map[string]match {
	found := matched(meanings, places)
	for _, m := range meanings {
		if one := found[m.Key]; one.at != nil {
			p.add(under+m.Key, text(one.at.dotted()), one.why)
		} else {
			p.add(under+m.Key, "", missing)
		}
	}
	return found
}

// creation says what a legal representative is created with.
func (p *proposer) creation(o *operation) {
	p.matched("legal_representative.headers.", names().Headers, o.headers)
	p.entries("headers", o.headers)
	fields := p.matched("legal_representative.fields.", names().Fields, o.body)
	var types []string
	for _, m := range names().Fields {
		if at := fields[m.Key].at; at != nil {
			asText, isText := at.is("string"), len(m.Types) == 0 || m.Types[0] == "string"
			asNumber := at.is("number") || at.is("integer")
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
		p.add("legal_representative.field_types", "{"+strings.Join(types, ", ")+"}", "")
	}
}

// entries notes, under one key, what other headers or parts of a form have to hold.
func (p *proposer) entries(key string, all []*place) {
	var written, doubts []string
	for _, at := range all {
		switch {
		case !at.required || at.taken:
			continue
		case at.unique && strings.HasPrefix(key, "export.file"):
			at.values = []string{"{uuid}"}
		case len(at.values) == 0:
			p.add(key+"."+at.dotted(), "", "requests need it, and nothing says what it holds")
			continue
		case len(at.values) > 1:
			doubts = append(doubts, at.dotted()+" may be "+strings.Join(at.values, ", "))
		}
		written = append(written, text(at.dotted())+": "+text(at.values[0]))
	}
	if len(written) > 0 {
		p.add(key, "{"+strings.Join(written, ", ")+"}", strings.Join(doubts, "; "))
	}
}

var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

// documents says how documents are uploaded.
func (p *proposer) documents(o *operation) {
	const under = "legal_representative.documents."
	p.add(under+"path", text(placeholder.ReplaceAllString(o.path, "{id}")), "")
	p.matched(under+"parts.", names().Parts, o.files())
	if files := o.files(); len(files) > 1 && !slices.ContainsFunc(files, func(at *place) bool { return !at.choice }) {
		p.add(under+"one_request_per_document", "true", "")
	}
	p.entries(under+"form", slices.DeleteFunc(o.form, func(at *place) bool { return at.file || len(at.path) > 1 }))
}

// file says how the file of an export is fetched.
func (p *proposer) file(o *operation) {
	const under = "export.file."
	p.add(under+"request", text("GET "+placeholder.ReplaceAllString(o.path, "{file_id}")), "")
	p.entries(under+"headers", o.headers)
	if !slices.ContainsFunc(o.answer, func(at *place) bool { return p.state(under+"state", at) }) && len(o.answer) > 0 {
		p.add(under+"state.pointer", "", missing)
	}
	if at := matched(names().Addresses, o.answer)["url"]; at.at != nil {
		p.add(under+"url", text(at.at.pointer()), at.why)
	}
}

// state says how an answer tells how far the file is, where this place does.
func (p *proposer) state(key string, at *place) bool {
	meant := func(all string) []string {
		known := func(word string) bool { return slices.Contains(strings.Fields(all), word) }
		return slices.DeleteFunc(slices.Clone(at.values), func(state string) bool {
			return !slices.ContainsFunc(words(strings.ToLower(state)), known)
		})
	}
	ready, why := meant(names().Ready), ""
	if len(ready) > 1 {
		why = "there are " + strings.Join(at.values, ", ")
	}
	if len(ready) > 0 {
		p.add(key, fmt.Sprintf("{pointer: %s, ready: [%s], failed: [%s]}",
			text(at.pointer()), text(ready...), text(meant(names().Failed)...)), why)
	}
	return len(ready) > 0
}

func (p *place) pointer() string {
	var all jsontext.Pointer
	for _, name := range p.path {
		all = all.AppendToken(name)
	}
	return string(all)
}
