package repeat

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/gateassay/gateassay/gateway/curl"
)

const shortest = 8 // characters of a text that stands in a request for nothing else than itself

var (
	version4 = regexp.MustCompile(`(?i)[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`)
	hexRun   = regexp.MustCompile(`(?i)[0-9a-f]{4,}`)
	instant  = regexp.MustCompile(`^(\d{4}-\d\d-\d\d[Tt ]\d\d:(\d\d):)(\d\d)((?:[.,]\d+)?)(.*)$`)
)

// draw draws what no other request may share.
func (w *writer) draw() {
	var ids, instants, cpfs []string
	add := func(list *[]string, text string) {
		if len(text) >= shortest && strings.Trim(text, "0-") != "" && !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	for _, s := range w.Steps {
		for _, name := range slices.Sorted(maps.Keys(s.Request.Header)) {
			own := slices.ContainsFunc(s.Request.Fresh, func(fresh string) bool { return strings.EqualFold(fresh, name) })
			for _, value := range s.Request.Header[name] {
				if own && !(s.Fetch && w.isFile(s.Request)) {
					add(&ids, value)
				}
			}
		}
		for _, d := range s.Drawn {
			add(map[Kind]*[]string{UUID: &ids, Instant: &instants, CPF: &cpfs}[d.Kind], d.Text)
		}
	}
	for i, id := range ids {
		w.identifier(id, ids[:i])
	}
	w.instants(instants)
	for i, text := range cpfs {
		w.names[text] = fmt.Sprintf("cpf%d", i+1)
		w.line("cpf", w.names[text])
	}
}

// identifier draws an identifier anew. One that was made of an earlier one is made of the new one.
func (w *writer) identifier(id string, earlier []string) {
	name := fmt.Sprintf("id%d", len(earlier)+1)
	for _, other := range earlier {
		from := w.names[other]
		switch {
		case from == "":
			continue
		case strings.Contains(id, other):
			return // it is replaced within
		case id == strings.ReplaceAll(other, "-", ""):
			w.line(name + "=${" + from + "//-/}")
		case id == strings.ToUpper(other):
			w.line(name + `=$(printf %s "$` + from + `" | LC_ALL=C tr a-z A-Z)`)
		default:
			changes := changes(other, id)
			if changes == nil {
				continue
			}
			w.line(append([]string{"moved", name, `"$` + from + `"`}, changes...)...)
		}
		w.names[id] = name
		return
	}
	w.names[id] = name
	w.line("anew", name, curl.Quote(shape(id)))
}

// leastShared is how many digits two identifiers share at the same places that are related: by chance, it is three.
const leastShared = 12

// changes say how an identifier follows from another; nil: it does not.
func changes(from, to string) (list []string) {
	if len(from) != len(to) {
		return nil
	}
	shared := 0
	for i := range len(to) {
		a, errA := strconv.ParseUint(from[i:i+1], 16, 8)
		b, errB := strconv.ParseUint(to[i:i+1], 16, 8)
		switch fixed := errA != nil || errB != nil || i == 14 || i == 19; {
		case from[i] == to[i] && errA == nil:
			shared++
		case from[i] == to[i]:
		case fixed:
			list = append(list, fmt.Sprintf("%d=%s", i, curl.Quote(to[i:i+1])))
		default:
			list = append(list, fmt.Sprintf("%d+%d", i, (b+16-a)%16))
		}
	}
	if shared < leastShared {
		return nil
	}
	return list
}

// shape has marks for what is drawn anew of an identifier: all digits of a UUID but those that say which kind it is, the
// first and the last run of digits of another text.
func shape(id string) string {
	marked := []byte(id)
	mark := func(from, to int) {
		for i := from; i < to; i++ {
			if strings.IndexByte("0123456789abcdefABCDEF", id[i]) >= 0 {
				marked[i] = '?'
			}
		}
	}
	runs := hexRun.FindAllStringIndex(id, -1)
	switch {
	case version4.FindString(id) == id:
		mark(0, 14)
		mark(15, 19)
		mark(20, len(id))
	case len(runs) > 0:
		first, last := runs[0], runs[len(runs)-1]
		mark(first[0], first[1])
		mark(last[0], last[1])
	default:
		for i, c := range id {
			if c >= 'g' && c <= 'v' {
				marked[i] = '*'
			}
		}
	}
	return string(marked)
}

// instants draws the seconds of instants anew. Those of one minute keep the time between them.
func (w *writer) instants(texts []string) {
	minutes := map[string][]string{}
	for _, text := range texts {
		if m := instant.FindStringSubmatch(text); m != nil {
			minutes[m[2]] = append(minutes[m[2]], text)
		}
	}
	for _, minute := range slices.Sorted(maps.Keys(minutes)) {
		same := minutes[minute]
		second := func(text string) int { n, _ := strconv.Atoi(instant.FindStringSubmatch(text)[3]); return n }
		fraction := func(text string) string { return instant.FindStringSubmatch(text)[4] }
		var all []int
		fractions := map[string]string{}
		for _, text := range same {
			all = append(all, second(text))
			fractions[fraction(text)] = fraction(text)
		}
		first := slices.Min(all)
		w.line("seconds", "second"+minute, fmt.Sprint(slices.Max(all)-first))
		if len(fractions) == 1 && fraction(same[0]) != "" {
			f := fraction(same[0])
			w.line("anew", "fraction"+minute, curl.Quote(f[:1]+strings.Repeat("#", len(f)-1)))
			fractions[f] = "\"$fraction" + minute + `"`
		}
		for _, text := range same {
			m, name := instant.FindStringSubmatch(text), fmt.Sprintf("instant%d", slices.Index(texts, text)+1)
			w.names[text] = name
			w.line(fmt.Sprintf("%s=%s$(printf %%02d $((10#$second%s + %d)))%s%s", name, curl.Quote(m[1]), minute, second(text)-first,
				fractions[m[4]], curl.Quote(m[5])))
		}
	}
}

// carry takes what later steps carry of an answer from the new one.
func (w *writer) carry(i int) {
	var doc any
	numbers := json.NewDecoder(strings.NewReader(string(w.Steps[i].Answer)))
	numbers.UseNumber()
	if numbers.Decode(&doc) != nil {
		return
	}
	var sent, later string
	for j, s := range w.Steps {
		if text := fmt.Sprint(s.Request.URL, s.Request.Header, string(s.Request.Body)); j <= i {
			sent += text
		} else {
			later += text
		}
	}
	walk(doc, "", func(path, text string) {
		if len(text) >= shortest && !strings.Contains(sent, text) && strings.Contains(later, text) && w.names[text] == "" {
			w.names[text] = fmt.Sprintf("answer%d_%d", i+1, len(w.names))
			w.line("take", w.names[text], fmt.Sprintf("%d.1", i+1), curl.Quote(path))
		}
	})
}

// walk visits the texts and numbers of a document.
func walk(doc any, path string, visit func(path, text string)) {
	switch at := doc.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(at)) {
			walk(at[name], path+"."+name, visit)
		}
	case []any:
		for i, one := range at {
			walk(one, fmt.Sprint(path, ".", i), visit)
		}
	case string:
		visit(path, at)
	case json.Number:
		if !strings.ContainsFunc(at.String(), func(c rune) bool { return !unicode.IsDigit(c) }) {
			visit(path, at.String())
		}
	}
}
