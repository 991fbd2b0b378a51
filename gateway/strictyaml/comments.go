package strictyaml

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// comments reads what Go source says above the fields of its structs, on one line each, by "Type.Field".
func comments(sources []string) map[string]string {
	docs := map[string]string{}
	for _, source := range sources {
		file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ParseComments)
		if err != nil {
			continue // not Go, and so without comments; the compiler has read real sources before
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if structure, ok := spec.Type.(*ast.StructType); ok {
				for _, field := range structure.Fields.List {
					for _, name := range field.Names {
						docs[spec.Name.Name+"."+name.Name] = strings.Join(strings.Fields(field.Doc.Text()), " ")
					}
				}
			}
			return false
		})
	}
	return docs
}

// parts splits a comment into what the key means and what it unlocks, which is the sentence that begins with that word.
func (k *Key) parts() (about, unlocks string) {
	about, unlocks, _ = strings.Cut(k.Doc, "Unlocks ")
	return strings.TrimSpace(about), strings.TrimSuffix(unlocks, ".")
}
