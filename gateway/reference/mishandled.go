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

// mishandling is a kind of request that is treated in wrong ways, as mishandled.yaml explains.
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

// mishandled declares the faults of a topic of mishandled.yaml.
func mishandled(topic string) (all faults) {
	for _, m := range mishandlings()[topic] {
		if m.Each == nil {
			all = append(all, m.faults("")...)
		}
		all = append(all, forEach(m.Each, m.faults)...)
	}
	return all
}

// faults are those of each way to treat such requests wrongly, with a field in place of FIELD.
func (m mishandling) faults(field string) (all faults) {
	with := func(text string) string { return strings.ReplaceAll(text, "FIELD", field) }
	names, request, concerns := strings.Fields(with(m.Faults)), with(m.Request), m.concerns()
	common := names[0]
	for _, ending := range []string{"_accepted", "_200", "_500", "_rejected"} {
		common = strings.TrimSuffix(common, ending)
	}
	of, topic, _ := strings.Cut(common, ".")
	keys := strings.Fields(cmp.Or(with(m.Keys), topic))
	for _, name := range names {
		name = common + strings.TrimPrefix(name, common)
		statement, stays := "accepts "+request, ignored
		switch {
		case strings.HasSuffix(name, "_200"):
			statement, stays = "answers "+request+" with 200 and an error inside", withStatus(http.StatusOK)
		case strings.HasSuffix(name, "_500"):
			statement, stays = "answers "+request+" with a server error", withStatus(http.StatusInternalServerError)
		}
		e := onDefects(operation(of), keys, func(q *call, i *issue) bool {
			return concerns != nil && !concerns(i.value) || stays(q, i)
		})
		if strings.HasSuffix(name, "_rejected") {
			statement, e = "refuses "+request, refusing(operation(of), concerns, keys...)
		}
		rule := of + "." + cmp.Or(with(m.Rule), topic)
		all = append(all, declaration{Fault{Name: name, Rule: rule, Statement: statement}, e})
	}
	return all
}

// concerns reports of which values a kind is; nil: of all.
func (m mishandling) concerns() func(value any) bool {
	switch {
	case m.Like != "":
		return matching(m.Like)
	case m.Is != nil:
		return is(m.Is)
	case m.Between != nil:
		return between(m.Between[0], m.Between[1])
	case m.Types != nil:
		return isKind(m.Types...)
	case m.Only == "wrapped":
		return wrapped
	case m.Only == "not a flag":
		return notAFlag
	}
	return nil
}

func wrapped(value any) bool {
	list, _ := value.([]any)
	fields, _ := value.(object)
	return len(list) == 1 || len(fields) == 1
}

func notAFlag(value any) bool {
	list, isList := value.([]any)
	return value == "yes" || value == "false" || value == json.Number("0") || isList && len(list) == 0
}
