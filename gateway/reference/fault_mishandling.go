package reference

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"
)

//go:embed mishandled.yaml
var mishandledYAML []byte

// mishandling is a kind of request that is handled wrongly; mishandled.yaml explains the fields.
type mishandling struct {
	Faults, Rule, Request, Keys, Like, Only string

	Is      any
	Between []string
	Types   []string
	Each    []string
}

var mishandlings = sync.OnceValue(func() map[string][]mishandling {
	var file struct {
		Lists  any
		Topics map[string][]mishandling `yaml:",inline"`
	}
	if err := yaml.Load(bytes.TrimSpace(mishandledYAML), &file, yaml.WithKnownFields()); err != nil {
		panic("mishandled.yaml: " + err.Error()) // it is part of the program
	}
	return file.Topics
})

// mishandlingFaults declares the faults of a topic in mishandled.yaml.
func mishandlingFaults(topic string) (all []faultDeclaration) {
	for _, m := range mishandlings()[topic] {
		fields := m.Each
		if fields == nil {
			fields = []string{""}
		}
		for _, field := range fields {
			all = append(all, m.faults(field)...)
		}
	}
	for i := range all {
		all[i].Sweeping = topic == "sweeping"
	}
	return all
}

// faults declares a fault for each wrong way to handle such requests. FIELD stands for field.
func (m mishandling) faults(field string) (all []faultDeclaration) {
	with := func(text string) string { return strings.ReplaceAll(text, "FIELD", field) }
	names, what, concerns := strings.Fields(with(m.Faults)), with(m.Request), m.valueMatcher()
	common := names[0]
	for _, ending := range []string{"_accepted", "_200", "_500", "_rejected"} {
		common = strings.TrimSuffix(common, ending)
	}
	of, topic, _ := strings.Cut(common, ".")
	keys := strings.Fields(cmp.Or(with(m.Keys), topic))
	for _, name := range names {
		name = common + strings.TrimPrefix(name, common)
		statement, stays := "accepts "+what, dropDefect
		switch {
		case strings.HasSuffix(name, "_200"):
			statement = "answers " + what + " with 200 and an error inside"
			stays = refuseWithStatus(http.StatusOK)
		case strings.HasSuffix(name, "_500"):
			statement = "answers " + what + " with a server error"
			stays = refuseWithStatus(http.StatusInternalServerError)
		}
		e := filterDefects(operation(of), keys, func(q *request, i *defect) bool {
			return concerns != nil && !concerns(i.value) || stays(q, i)
		})
		if strings.HasSuffix(name, "_rejected") {
			statement, e = "refuses "+what, rejectFieldsWhen(operation(of), concerns, keys...)
		}
		rule := of + "." + cmp.Or(with(m.Rule), topic)
		all = append(all, faultDeclaration{Fault{Name: name, Rule: rule, Statement: statement}, e})
	}
	return all
}

// valueMatcher reports which values are affected; nil: all.
func (m mishandling) valueMatcher() func(value any) bool {
	switch {
	case m.Like != "":
		return matchesPattern(m.Like)
	case m.Is != nil:
		return equals(m.Is)
	case m.Between != nil:
		return isNumberBetween(m.Between[0], m.Between[1])
	case m.Types != nil:
		return isJSONKind(m.Types...)
	case m.Only == "wrapped":
		return isWrapped
	case m.Only == "not a flag":
		return isNotBoolean
	}
	return nil
}

func isWrapped(value any) bool {
	list, _ := value.([]any)
	fields, _ := value.(jsonObject)
	return len(list) == 1 || len(fields) == 1
}

func isNotBoolean(value any) bool {
	list, isList := value.([]any)
	return value == "yes" || value == "false" || value == json.Number("0") || isList && len(list) == 0
}
