package reference

import (
	"slices"
	"strings"
)

// nobody stands for whoever sends no credential.
var nobody = user{id: "nobody"}

func fileFaults() faults {
	text := func(name, statement string, change func(data []byte) []byte) faults {
		return fault(name, "file.csv", statement, on(func(_ *call, data *content) { *data = change(*data) }))
	}
	always := func(other state) effect { return on(func(_ *call, s *state) { *s = other }) }
	return slices.Concat(
		fault("export.file.first_id_blank", "range.partition", "leaves the ID of the first row of every file blank",
			on(func(_ *call, rows *table) {
				if len(*rows) > 1 {
					(*rows)[1][0] = ""
				}
			})),
		text("export.file.unbalanced_quote", "leaves a quoted field unclosed",
			func(data []byte) []byte { return append(data, "\"never closed,1,2\n"...) }),
		text("export.file.short_row", "ends files with a row of two fields",
			func(data []byte) []byte { return append(data, "a,b\n"...) }),
		text("export.file.cut", "cuts files in the middle", func(data []byte) []byte { return data[:len(data)*2/3] }),
		text("export.file.json", "writes JSON instead of CSV",
			func([]byte) []byte { return []byte(`[{"id":"1"},` + "\n" + `{"id":"2","note":"x"}]`) }),
		text("export.file.notes_unquoted", "leaves text with separators and line breaks unquoted",
			func(data []byte) []byte { return []byte(strings.ReplaceAll(string(data), `"`, "")) }),
		fault("export.file.html", "file.csv", "answers with a web page instead of the file", on(func(_ *call, a *reply) {
			if a.kind == "file" {
				a.header.Set("Content-Type", "text/html")
				a.body = []byte("<html><body><h1>It works, \"almost</h1></body></html>\n")
			}
		})),
		fault("export.file.never_ready", "file.retrievable", "never finishes a file", always(processing)),
		fault("export.file.always_failed", "file.retrievable", "fails to generate any file", always(failed)),
		fault("export.file.failed_settled", "file.retrievable", "fails to generate files by settled_date",
			on(func(q *call, s *state) {
				if q.file.Selection.Sort == bySettled {
					*s = failed
				}
			})),
		fault("export.file.fetch_500", "file.retrievable", "answers every retrieval with a server error",
			answered(retrieving, "state", crash).and(answered(retrieving, "file", crash))),
		fault("export.file.lost", "file.retrievable", "forgets every file immediately", exported(func(q *call, _ *reply) {
			q.g.store.step(func() { q.g.store.files.put(q.file.ID, file{}) })
		})),
		fault("export.file.readable_by_others", "file.private", "lets other users fetch a file",
			on(func(_ *call, a *access) { *a = true })),
		fault("export.file.redirects_others", "file.private", "redirects other users to the address of a file",
			answered(retrieving, "not_found", func(q *call, a *reply) {
				if q.file != nil {
					a.moved(q.downloadURL())
				}
			})),
		fault("export.file.signature_unchecked", "file.authenticated",
			"lets a token with a changed signature fetch a file", believes(forgery.other).of(retrieving)),
		fault("export.file.alg_none_accepted", "file.authenticated", "lets unsigned tokens fetch a file",
			believes(forgery.claimsNone).of(retrieving)),
		fault("export.file.revoked_key_accepted", "file.authenticated", "lets revoked API keys fetch a file",
			admits(withKey(revoked)).of(retrieving)),
		fault("export.file.readable_by_anyone", "file.authenticated", "lets anybody fetch a file without a credential",
			on(func(_ *call, s *sender) {
				if s.user == nil {
					s.user = &nobody
				}
			}).of(retrieving).and(on(func(q *call, a *access) { *a = *a || q.caller == &nobody }))),
	)
}
