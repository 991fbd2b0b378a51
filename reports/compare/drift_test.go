package compare

import (
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/suites/record"
)

func drift(id, before, after string) []string {
	var list []string
	for _, d := range Drifts([]record.Observation{{ID: id, Observed: before}},
		[]record.Observation{{ID: id, Observed: after}}) {
		for _, p := range d.Changes {
			list = append(list, p.String())
		}
	}
	return list
}

// Texts as the suites write them.
func TestDriftNamesThePartThatChanged(t *testing.T) {
	for _, c := range []struct{ id, before, after, want string }{
		{"export.observed.success_status", "200", "202", "status: 200 → 202"},
		{"export.observed.success_status", "200", "200, 202", "new: 202"},
		{
			"export.observed.file_state", "{state string}", "{status {final boolean, name string}}",
			"field state: gone, was string | field status.final: new, boolean | field status.name: new, string",
		},
		{"export.observed.file_state", "{state string}", "{state number}", "field state: string → number"},
		{
			"export.observed.file_state", "{state string}", "no member file_state",
			"field state: gone, was string | new: no member file_state",
		},
		{
			"export.observed.error_body", "{error {code string, fields [{code string, field string}], message string}}",
			"{error {code number, fields [{field string, hint string}]}}",
			"field error.code: string → number | field error.fields[].code: gone, was string | field " +
				"error.fields[].hint: new, string | field error.message: gone, was string",
		},
		{
			"create.observed.error_body", "error{code string, fields array, message string}; error{code string, " +
				"message string}", "error{code string, message string}",
			"field error.fields: gone, was array",
		},
		{
			"create.observed.error_body", "error{code string}; detail string",
			"detail string", "field error.code: gone, was string",
		},
		{
			"create.observed.error_body", "a string, b string; a string", "a string, b string",
			"shapes: gone, was a string",
		},
		{
			"create.observed.rejection_status", "empty field 400; no permission 403",
			"empty field 422; no permission 403", "empty field: 400 → 422",
		},
		{
			"export.observed.rejection_status", "400: an array, order, sort", "400: sort; 422: an array, order",
			"an array: 400 → 422 | order: 400 → 422",
		},
		{
			"create.observed.optional_absent", "201; null: birth_date, pep; filled in: name",
			"201; absent: birth_date; null: pep; filled in: name", "birth_date: null → absent",
		},
		{"auth.observed.both_key_wrong", "creation 201, export 200", "creation 201, export 202", "export: 200 → 202"},
		{
			"auth.observed.challenge", "creation: 401, WWW-Authenticate Bearer, {error {code, message}}",
			"creation: 403, no WWW-Authenticate, {error {code}}",
			"field creation.error.message: gone | creation, status: 401 → 403 | creation: WWW-Authenticate Bearer → " +
				"no WWW-Authenticate",
		},
		{
			"replay.observed.block_status", "409 Conflict, {error {code, message}}",
			"422 Unprocessable Entity, {error {code, message}}", "status: 409 Conflict → 422 Unprocessable Entity",
		},
		{
			"replay.observed.cross_mode", "no replay value, then nonce: is blocked (409)",
			"no replay value, then nonce: passes (200)",
			"no replay value, then nonce: is blocked (409) → passes (200)",
		},
		{
			"replay.observed.empty_value",
			"is accepted (200); the same again is blocked (409); with another nonce it is blocked (409)",
			"is accepted (202); the same again is blocked (409); with another nonce it passes (202)",
			"is accepted: 200 → 202 | with another nonce: it is blocked (409) → it passes (202)",
		},
		{
			"create.observed.repeat_status", "identical: 409; another nonce: 409",
			"identical: 200 with the first record; another nonce: 409", "identical: 409 → 200 with the first record",
		},
		{"create.observed.nonce_reuse", "201 with a second record", "409", "status: 201 with a second record → 409"},
		{
			"create.observed.header_names", "as configured, in an accepted creation: transaction ID x-a, nonce nonce",
			"as configured, in an accepted creation: transaction ID x-b, nonce nonce",
			"as configured, in an accepted creation, transaction ID: x-a → x-b",
		},
		{
			"export.observed.dialect", "delimiter ',', utf-8, byte order mark false, line ends LF, quoted fields true",
			"delimiter ';', utf-8, byte order mark true, line ends CRLF, quoted fields true",
			"delimiter: ',' → ';' | byte order mark: false → true | line ends: LF → CRLF",
		},
		{
			"export.observed.file_name", "a name that ends with .csv, text/csv",
			"a name that ends with .csv.gz, application/gzip, gzip (file)",
			"a name that ends with: .csv → .csv.gz | gone: text/csv | new: application/gzip | new: gzip (file)",
		},
		{"export.observed.columns", "id, client_id, wallet_id", "id, wallet_id, note", "client_id → note"},
		{"export.observed.columns", "id, client_id", "client_id, id", "order: id, client_id → client_id, id"},
		{"export.observed.transitions", "READY", "QUEUED for 1s to 5s, then DONE", "states: READY → QUEUED, then DONE"},
		{"export.observed.ties", "desc: rising by ID; asc: rising by ID", "desc: rising by ID; asc: by neither ID " +
			"nor settled_date", "asc: rising by ID → by neither ID nor settled_date"},
		{"export.observed.headers", "none", "retry-after", "none → retry-after"},
	} {
		if got := strings.Join(drift(c.id, c.before, c.after), " | "); got != c.want {
			t.Errorf("%s\n%s\n%s\n got %s\nwant %s", c.id, c.before, c.after, got, c.want)
		}
		if back := drift(c.id, c.after, c.before); len(back) == 0 {
			t.Errorf("%s: nothing drifted the other way", c.id)
		}
	}
}

func TestWhatDiffersBetweenAnyTwoRunsIsNoDrift(t *testing.T) {
	for _, c := range []struct{ id, before, after string }{
		{"export.observed.transitions", "QUEUED for less than 1s, then DONE", "DONE"},
		{"export.observed.transitions", "QUEUED for less than 1s, then DONE", "QUEUED for 1s to 5s, then DONE"},
		{
			"export.observed.transitions", "no state was seen; the file took less than 1s",
			"no state was seen; the file took 5s to 15s",
		},
		{
			"export.observed.unknown_language", "language fr-FR: rejected with 400; language xx: rejected with 400",
			"language xx: rejected with 400; language fr-FR: rejected with 400",
		},
		{
			"x.observed.id", "file 0b9d6a52-6f5e-4c39-9d5e-1f4f4a6f6c11 of 2026-11-20T09:00:00Z",
			"file 1b9d6a52-6f5e-4c39-9d5e-1f4f4a6f6c12 of 2026-11-21T10:12:13.5Z",
		},
		{"export.observed.error_body", "{error {code string, mess…", "{error {code string, message stri…"},
		{"x.observed.time", "ready after 1.2s, since 1795257911", "ready after 950 ms, since 1795257999"},
		{
			"create.observed.error_body", "b string, a string; error{code string}",
			"error{code string}; a string, b string",
		},
	} {
		if got := drift(c.id, c.before, c.after); len(got) > 0 {
			t.Errorf("%s: %q and %q drift by %q", c.id, c.before, c.after, got)
		}
	}
}

func TestAFileThatWasNotFetchedDrifts(t *testing.T) {
	got := drift("export.observed.transitions", "QUEUED for less than 1s, then DONE",
		"QUEUED for 15s to 1m; the file was not fetched: timeout")
	if !slices.Contains(got, "states: QUEUED, then DONE → QUEUED") ||
		!slices.Contains(got, "the file was not fetched: new, timeout") {
		t.Errorf("%q", got)
	}
}

// Whatever text a run holds is taken apart in bounded time, without panic.
func TestAnyTextIsTakenApart(t *testing.T) {
	long := strings.Repeat("{a {b [{c ", 1500)
	for _, text := range []string{
		"", "{", "}}}", "[{]", "a: ", ": b", ",,,;;;",
		"{a {b", "{,}", "{a}}, b", "\x00{\xff", long, strings.Repeat("x 1, ", 3000), strings.Repeat("y", 1<<20),
	} {
		for _, id := range []string{"a.error_body", "a.transitions", "a.columns"} {
			_ = drift(id, text, "{error {code string}}")
			_ = drift(id, "409, {error}", text)
			if got := drift(id, text, text); len(got) > 0 {
				t.Errorf("%.40q drifts from itself: %q", text, got)
			}
		}
	}
}

func FuzzDrift(f *testing.F) {
	f.Add("{error {code string, fields [{code string}]}}", "400: an array; 422: sort")
	f.Add("creation: 401, {error {code", "is accepted (200); it passes (202)")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, id := range []string{"x.error_body", "x.transitions", "x.status"} {
			if len(changes(id, a, a)) > 0 {
				t.Errorf("%q drifts from itself", a)
			}
			if one, other := len(changes(id, a, b)) > 0, len(changes(id, b, a)) > 0; one != other {
				t.Errorf("%q and %q drift in one direction only", a, b)
			}
		}
	})
}

func TestPartsThatChangedAlikeAreOneLine(t *testing.T) {
	for _, c := range []struct{ id, before, after, want string }{
		{
			"create.observed.rejection_status", "no body 400; sort 400; no permission 403",
			"no body 422; sort 422; no permission 401", "no body, sort: 400 → 422 | no permission: 403 → 401",
		},
		{"export.observed.columns", "id, client", "Nummer, Kunde, Datum", "id, client → Nummer, Kunde, Datum"},
		{"export.observed.columns", "id, client, note", "id", "gone: client, note"},
		{"x.file_state", "{a string, b string}", "{}", "field a, field b: gone, was string"},
	} {
		list := Drifts([]record.Observation{{ID: c.id, Observed: c.before}},
			[]record.Observation{{ID: c.id, Observed: c.after}})
		if len(list) != 1 {
			t.Errorf("%q: %d drifts", c.before, len(list))
			continue
		}
		var lines []string
		for _, p := range list[0].lines() {
			lines = append(lines, p.String())
		}
		if got := strings.Join(lines, " | "); got != c.want {
			t.Errorf("%q to %q: %s, want %s", c.before, c.after, got, c.want)
		}
	}
}
