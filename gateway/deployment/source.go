package deployment

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/diagnostic"
)

const hidden = "[hidden]"

// place is a position in the document, in characters from 1.
type place struct{ line, column int }

func placeOf(n *yaml.Node) place { return place{n.Line, n.Column} }

func (p place) before(q place) bool {
	return p.line < q.line || p.line == q.line && p.column < q.column
}

// source is the text of a deployment file, with the stretches that must not be shown.
type source struct {
	lines  []string
	starts []place            // where each node starts, in the order of the document
	masks  map[int][][2]int   // by line: half-open ranges of columns
	nodes  map[place]struct{} // starts, to add each once

	characters map[int][]rune // of the lines that were looked at
	joined     map[int]bool   // lines whose masks are in order
}

// newSource splits a document where the YAML parser counts lines, which is at more than newlines.
func newSource(data string) *source {
	return &source{lines: diagnostic.Lines(data), masks: map[int][][2]int{}, nodes: map[place]struct{}{}, characters: map[int][]rune{}, joined: map[int]bool{}}
}

// index records where the nodes start: a value ends where the next node begins.
func (s *source) index(n *yaml.Node) {
	s.collect(n)
	slices.SortFunc(s.starts, func(a, b place) int {
		if a.before(b) {
			return -1
		}
		if b.before(a) {
			return 1
		}
		return 0
	})
}

func (s *source) collect(n *yaml.Node) {
	if at := placeOf(n); n.Kind != yaml.DocumentNode {
		if _, seen := s.nodes[at]; !seen {
			s.nodes[at] = struct{}{}
			s.starts = append(s.starts, at)
		}
	}
	for _, child := range n.Content {
		s.collect(child)
	}
}

// hide masks a node and all below it; with references, scalars that consist of ${NAME} or file:PATH stay visible.
func (s *source) hide(n *yaml.Node, references bool) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 1; i < len(n.Content); i += 2 {
			s.hide(n.Content[i], references)
		}
	case yaml.ScalarNode:
		if n.Tag == "!!null" && n.Value == "" {
			return
		}
		shown := s.shown(n, references)
		if shown > 0 && !strings.Contains(s.lines[n.Line-1], "#") {
			return // a reference without a comment after it, which might hold the old value
		}
		s.hideFrom(placeOf(n), shown)
	case yaml.AliasNode:
		s.hideFrom(placeOf(n), 0)
	default:
		for _, child := range n.Content {
			s.hide(child, references)
		}
	}
}

// shown is how many characters of a scalar may be seen: all of a reference, none of anything else.
func (s *source) shown(n *yaml.Node, references bool) int {
	if !references || !onlyRefers(n.Value) || n.Line > len(s.lines) {
		return 0
	}
	written := s.line(n.Line)
	for _, quote := range []string{"", `"`, `'`} {
		literal := []rune(quote + n.Value + quote)
		end := n.Column - 1 + len(literal)
		if end <= len(written) && string(written[n.Column-1:end]) == string(literal) {
			return len(literal)
		}
	}
	return 0
}

// hideFrom masks what follows a position, after the given number of characters, up to the next node.
func (s *source) hideFrom(from place, shown int) {
	at, _ := slices.BinarySearchFunc(s.starts, from, func(a, b place) int {
		if a.before(b) || a == b {
			return -1
		}
		return 1
	})
	end := place{len(s.lines), 1 << 30}
	if at < len(s.starts) {
		end = s.starts[at]
	}
	first := from.column + shown
	for line := from.line; line <= end.line && line <= len(s.lines); line++ {
		last := 1 << 30
		if line == end.line {
			last = end.column
		}
		s.masks[line] = append(s.masks[line], [2]int{first, last})
		first = 1
	}
}

// show gives what may be seen of a line around a column, and the offset of the column in it. Every mask must be set.
func (s *source) show(at place) (text string, caret int) {
	if at.line < 1 || at.line > len(s.lines) {
		return "", 0
	}
	line, masks := s.prepare(at.line)
	from, to := diagnostic.Window(len(line), at.column)
	var out []rune
	if from > 1 {
		out = append(out, '…')
	}
	caret = -1
	for column := from; column < to; {
		if column >= at.column && caret < 0 {
			caret = len(out)
		}
		i, _ := slices.BinarySearchFunc(masks, column, func(mask [2]int, c int) int { return cmp.Compare(mask[1], c+1) })
		if i == len(masks) || column < masks[i][0] {
			out = append(out, diagnostic.Printable(line[column-1]))
			column++
			continue
		}
		end := min(masks[i][1], to)
		if strings.TrimSpace(string(line[column-1:end-1])) != "" {
			out = append(out, []rune(hidden)...)
			if end < to {
				out = append(out, ' ')
			}
		}
		column = end
	}
	if to <= len(line) {
		out = append(out, '…')
	}
	if caret < 0 {
		caret = len(out)
	}
	return string(out), caret
}

// line gives a line in characters.
func (s *source) line(number int) []rune {
	if _, ok := s.characters[number]; !ok {
		s.characters[number] = []rune(s.lines[number-1])
	}
	return s.characters[number]
}

// prepare gives a line in characters and its masks in order, joined where they touch.
func (s *source) prepare(number int) ([]rune, [][2]int) {
	if s.joined[number] {
		return s.line(number), s.masks[number]
	}
	masks := s.masks[number]
	slices.SortFunc(masks, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	joined := masks[:0]
	for _, mask := range masks {
		if last := len(joined) - 1; last >= 0 && mask[0] <= joined[last][1] {
			joined[last][1] = max(joined[last][1], mask[1])
		} else if mask[0] < mask[1] {
			joined = append(joined, mask)
		}
	}
	if len(joined) > 0 {
		s.masks[number] = joined
	}
	s.joined[number] = true
	return s.line(number), joined
}

var (
	credentialsKey = regexp.MustCompile(`^\s*["']?credentials["']?\s*:`)
	secretWord     = regexp.MustCompile(`(?i)credential|token|api.?key|bearer|secret|password|authorization|cookie|unprivileged|other_user`)
)

// authenticates tells whether a header or form field of that name is likely to carry a secret.
func authenticates(name string) bool { return secretWord.MatchString(name) }

// hideByText masks what looks like credentials where the YAML cannot be read, so that no node tells which text they are.
func (s *source) hideByText() {
	indent := -1 // of the credentials key whose block a line is in
	for i, line := range s.lines {
		trimmed := strings.TrimLeft(line, " \t")
		depth := len(line) - len(trimmed)
		if indent >= 0 && trimmed != "" && trimmed[0] != '#' && depth <= indent {
			indent = -1
		}
		within := indent >= 0
		if !within && credentialsKey.MatchString(line) {
			indent = depth
		}
		if within || secretWord.MatchString(line) {
			first := 1
			if colon := strings.IndexByte(line, ':'); colon >= 0 {
				first = len([]rune(line[:colon])) + 2
			}
			s.masks[i+1] = append(s.masks[i+1], [2]int{first, 1 << 30})
		}
	}
}

// masked tells whether a position shows nothing of the document.
func (s *source) masked(line int) bool { return len(s.masks[line]) > 0 }
