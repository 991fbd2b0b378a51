package deployment

// complete fills in the defaults of everything that the document did not give.
func (r *reader) complete() {
	r.presets(r.root, "")
	representative := &r.file.LegalRepresentative
	representative.Fields = completeFields(representative.Fields)
	if representative.FieldTypes == nil {
		representative.FieldTypes = map[string]string{}
	}
	if documents := representative.Documents; documents != nil {
		parts := map[string]string{}
		for _, part := range r.root.child("legal_representative").child("documents").child("parts").keys {
			parts[part.name] = part.preset
		}
		for name, part := range documents.Parts {
			parts[name] = part
		}
		documents.Parts = parts
	}
}

func (r *reader) presets(k *key, path string) {
	for i := range k.keys {
		child := &k.keys[i]
		inner := dotted(path, child.name)
		switch {
		case child.kind == mapping && (!child.optional || r.file.given[inner]):
			r.presets(child, inner)
		case child.preset != "" && child.into != nil && !r.file.given[inner]:
			child.store(child.into(&target{file: r.file}), child.preset)
		}
	}
}
