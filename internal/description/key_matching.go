package description

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/runes"
	"golang.org/x/text/unicode/norm"
)

//go:embed names.yaml
var namesYAML []byte

// keyMeaning is a setting that a place may stand for.
type keyMeaning struct {
	Key                 string
	Types, Named, Maybe []string
	Value               string
}

type nameTables struct {
	Synonyms                          map[string]string
	Headers, Fields, Parts, Addresses []keyMeaning
	Ready, Failed                     string
}

// loadNameTables returns the tables of names.yaml.
var loadNameTables = sync.OnceValue(func() (n nameTables) {
	if err := yaml.Unmarshal(namesYAML, &n); err != nil {
		panic(fmt.Sprintf("names.yaml: %v", err)) // it is part of the program
	}
	grouped := n.Synonyms
	n.Synonyms = map[string]string{}
	for word, others := range grouped {
		for other := range strings.FieldsSeq(others) {
			n.Synonyms[other] = word
		}
	}
	return n
})

// wordBoundaries matches where a new word begins in camel case, and where a number begins.
var wordBoundaries = regexp.MustCompile(`(\p{Lu})(\p{Lu}\p{Ll})|([\p{Ll}\d])(\p{Lu})|(\p{L})(\d)`)

// wordSet returns the words of names and texts, without accents and with synonyms replaced.
func wordSet(texts ...string) (set []string) {
	text := runes.Remove(runes.In(unicode.Mn)).String(norm.NFD.String(strings.Join(texts, " ")))
	text = strings.ToLower(wordBoundaries.ReplaceAllString(text, "$1$3$5 $2$4$6"))
	for word := range strings.FieldsFuncSeq(text,
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if other, known := loadNameTables().Synonyms[word]; known {
			word = other
		}
		if word != "" {
			set = append(set, word)
		}
	}
	return set
}

// containsAll reports whether set contains all words of all.
func containsAll(set, all []string) bool {
	return !slices.ContainsFunc(all, func(word string) bool { return !slices.Contains(set, word) })
}

// keyMatch is a place that may stand for a key. It ranks higher the more words agree. why
// explains why it is a guess; empty: it is certain.
type keyMatch struct {
	key  string
	at   *place
	rank int
	why  string
}

// matchPlaces returns the best place for each meaning. No place is used twice.
func matchPlaces(meanings []keyMeaning, places []*place) map[string]keyMatch {
	var all []keyMatch
	for _, p := range places {
		p.taken = false
		for _, m := range meanings {
			all = append(all, m.matchPlace(p))
		}
	}
	slices.SortStableFunc(all, func(a, b keyMatch) int { return cmp.Compare(b.rank, a.rank) })
	found := map[string]keyMatch{}
	for _, one := range all {
		if found[one.key].at == nil && !one.at.taken && one.rank > 0 {
			found[one.key], one.at.taken = one, true
		}
	}
	return found
}

// Ranks of what speaks for a match, each plus the number of words that agree.
const (
	rankOfDescription = 10
	rankOfLongerName  = 40
	rankOfVagueName   = 60
	rankOfName        = 100
	rankOfValue       = 200
)

func (m keyMeaning) matchPlace(p *place) keyMatch {
	best := keyMatch{key: m.Key, at: p}
	types := m.Types
	if len(types) == 0 {
		types = []string{"string"}
	}
	if !slices.ContainsFunc(types, p.hasType) {
		return best
	}
	if m.Value != "" && slices.Contains(p.values, m.Value) {
		best.rank = rankOfValue
	}
	same := func(a, b []string) bool { return containsAll(a, b) && containsAll(b, a) }
	for i, name := range slices.Concat(m.Named, m.Maybe) {
		wanted, unmistakable := strings.Fields(name), i < len(m.Named)
		rank, why := len(wanted), ""
		switch {
		case same(p.pathWords, wanted) && unmistakable:
			rank += rankOfName
		case same(p.pathWords, wanted), same(p.nameWords, wanted):
			rank, why = rank+rankOfVagueName, "its name may mean something else"
		case containsAll(p.pathWords, wanted) && unmistakable:
			rank, why = rank+rankOfLongerName, "its name has more words"
		case containsAll(p.descriptionWords, wanted) && unmistakable:
			rank, why = rank+rankOfDescription, "from its description"
		default:
			continue
		}
		if rank > best.rank {
			best.rank, best.why = rank, why
		}
	}
	return best
}
