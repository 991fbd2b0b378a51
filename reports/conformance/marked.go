package conformance

import (
	"strings"

	"github.com/gateassay/gateassay/reports/view"
)

// fieldOf is the path, as in "document.number", of the field that a rule's ID may name: what follows the topic.
func fieldOf(id string) string {
	if parts := strings.SplitN(id, ".", 3); len(parts) == 3 {
		return parts[2]
	}
	return ""
}

// marked cuts a body that pretty laid out so that the members with a field's path stand alone. The path of a rule may
// have more parts than the field has, as in "email.null": the longest beginning that any member has is the one.
func marked(body, field string) []view.Piece {
	lines := strings.Split(body, "\n")
	for path := field; path != ""; {
		if hits := members(lines, path); len(hits) > 0 {
			return cut(lines, hits)
		}
		i := strings.LastIndexByte(path, '.')
		path = path[:max(0, i)]
	}
	return []view.Piece{{Text: body}}
}

// members numbers the lines that begin a member whose path ends with one that is looked for.
func members(lines []string, path string) map[int]bool {
	hits := map[int]bool{}
	var above []string // names of the members around, by depth
	for i, line := range lines {
		text := strings.TrimLeft(line, " ")
		depth := (len(line) - len(text)) / 2
		name := ""
		if quoted, found := strings.CutPrefix(text, `"`); found {
			if end := strings.Index(quoted, `":`); end > 0 {
				name = quoted[:end]
			}
		}
		above = append(above[:min(depth, len(above))], name)
		if name != "" && strings.HasSuffix("."+strings.Join(above, "."), "."+path) {
			hits[i] = true
		}
	}
	return hits
}

func cut(lines []string, hits map[int]bool) []view.Piece {
	var found []view.Piece
	var plain strings.Builder
	for i, line := range lines {
		end := "\n"
		if i == len(lines)-1 {
			end = ""
		}
		if !hits[i] {
			plain.WriteString(line + end)
			continue
		}
		text := strings.TrimLeft(line, " ")
		plain.WriteString(line[:len(line)-len(text)])
		found = append(found, view.Piece{Text: plain.String()}, view.Piece{Text: text, Marked: true})
		plain.Reset()
		plain.WriteString(end)
	}
	return append(found, view.Piece{Text: plain.String()})
}
