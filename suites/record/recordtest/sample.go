// Package recordtest makes recorded runs for the tests of whatever reads one.
package recordtest

import (
	"fmt"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/record"
)

// Hostile is a text that tries to break out of every report format.
const Hostile = "</script><script>alert(1)</script> ]]> <img src=x onerror=alert(2)> | `tick` ``` **bold** " +
	"[x](javascript:alert(3)) \x1b[31mred\x1b[0m\r\n::error title=fake::injected\n# heading\x00\x07" +
	"\u202Eesrever\xff\xfe %0A & \"quote\" 'single' 日本語 José O’Néill"

// Start is when the sample run started.
var Start = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)

const exportSection = "Generate quote statement export file"

// protects are the rules of the sample run that protect data or money.
var protects = map[string]bool{"create.shareholder.foreign": true, "export.isolation": true, "auth.confidential": true}

// Catalogue is the selected rules of the sample run.
func Catalogue() []rules.Rule {
	rule := func(id string, level rules.Level, section rules.Section, statement string) rules.Rule {
		return rules.Rule{ID: id, Level: level, Security: protects[id], Section: section, Statement: statement}
	}
	return []rules.Rule{
		rule("create.success.status", rules.Must, "Create legal representative",
			"A valid creation is answered with 201."),
		rule("create.required.mother_name", rules.Must, "Creation request body",
			"A creation without mother_name is rejected."),
		rule("create.required.email", rules.Must, "Creation request body", "A creation without email is rejected."),
		rule("create.email.format", rules.Should, "Creation request body", "An email address without @ is rejected."),
		rule("create.email.spaces", rules.Should, "Creation request body", "An email address with spaces is rejected."),
		rule("create.echo.name", rules.Must, "Legal representative",
			"The name comes back as it was sent, accents included."),
		rule("create.shareholder.foreign", rules.Must, "Creation request body",
			"A shareholder of another legal person is rejected."),
		rule("create.error_shape", rules.Observe, "Errors", "The shape of an error body is not shown."),
		rule("export.success", rules.Must, exportSection, "An export with an empty body object succeeds with a 2xx."),
		rule("export.response.file_state", rules.Must, "Quote export file", "file_state is an object."),
		rule("export.range.end_exclusive", rules.Must, exportSection, "A quote dated exactly on date_end is left out."),
		rule("export.filter.client_id", rules.Must, exportSection,
			"The client filter keeps that client's quotes, all of them, and no others."),
		rule("export.filter.prefix", rules.Should, exportSection, "A prefix of a client ID keeps no quote."),
		rule("export.isolation", rules.Should, exportSection, "Another user's export holds no quote of this user."),
		rule("export.success_status", rules.Observe, exportSection, "The status of a successful export is not shown."),
		rule("replay.none.same", rules.Must, "Replay protection",
			"Without a scheme, a request that repeats everything is blocked."),
		rule("replay.race.none", rules.Must, "Replay protection",
			"Of sixteen identical requests at once exactly one is accepted."),
		rule("auth.bearer", rules.Must, "Authentication", "A platform token alone is accepted."),
		rule("auth.confidential", rules.Should, "Authentication", Hostile),
	}
}

// Checks is what the sample run found.
func Checks() []record.Check {
	curl := "curl -sS -X POST 'https://gateway.staging.example/v1/reports/quote-statement/exports' \\\n" +
		"  -H \"Authorization: Bearer $GATEWAY_TOKEN\" \\\n  -H \"nonce: $(uuidgen)\" \\\n  -H 'Content-Type: application/json' \\\n" +
		"  --data '{\"date_start\":\"2025-01-01T00:00:00Z\",\"date_end\":\"2025-01-14T08:21:09.417Z\"}'"
	pass := func(rule, name string, exchanges ...int) record.Check {
		return record.Check{Rule: rule, Name: name, Verdict: record.Pass, Exchanges: exchanges, DurationMS: 41}
	}
	needs := func(rule, name, need string) record.Check {
		return record.Check{
			Rule: rule, Name: name, Verdict: record.NotVerified,
			Message: "the deployment file does not give " + need, Need: need,
		}
	}
	return []record.Check{
		pass("create.success.status", "answers 201", 1),
		pass("create.required.mother_name", "accepts the same request with it", 2),
		{
			Rule: "create.required.mother_name", Name: "rejects a request without it", Verdict: record.Fail,
			Message: "Creation without mother_name accepted: 201, expected 400 or 422",
			Finding: record.Finding{
				Subject: "creation without mother_name", Outcome: record.Accepted, Status: 201, Got: "201", Want: "400 or 422",
				Expected: "a 4xx other than 401, 403 and 429",
				Actual:   "201 Created with id 6f1d…\ncontrol, the same request without the defect: 201 Created",
				Decisive: 3, Control: 2,
			},
			Exchanges: []int{2, 3}, Curl: curl, DurationMS: 37,
			Location: "suites/create/required.go:48",
		},
		pass("create.required.email", "rejects a request without it", 4, 5),
		{
			Rule: "create.email.format", Name: "rejects text without @", Verdict: record.Inconclusive,
			Message: "no answer: connection broken", Exchanges: []int{6}, DurationMS: 15000,
		},
		{
			Rule: "create.email.spaces", Name: "rejects an address with spaces", Verdict: record.Fail,
			Message: "Creation with a space in the email accepted: 201, expected 400 or 422",
			Finding: record.Finding{
				Subject: "creation with a space in the email", Outcome: record.Accepted, Status: 201, Got: "201",
				Want: "400 or 422", Expected: "a 4xx other than 401, 403 and 429", Actual: "201 Created with id 9c2b…",
			},
			Exchanges: []int{10}, Curl: curl, DurationMS: 33, Location: "suites/create/othertypes.go:31",
		},
		pass("create.echo.name", "returns accents and apostrophes", 7),
		needs("create.shareholder.foreign", "rejects it", "fixtures.foreign_shareholder_id"),
		{
			Rule: "create.error_shape", Name: "records the keys", Verdict: record.Observed, Message: "{code, message, details[]}",
			Exchanges: []int{4, 5},
		},
		{Rule: "create.error_shape", Name: "records the language", Verdict: record.Observed, Message: Hostile, Exchanges: []int{4}},
		pass("export.success", "accepts an empty object", 8),
		{
			Rule: "export.response.file_state", Name: "is an object", Verdict: record.Fail,
			Message: "Answer to an accepted export: file_state is the string \"PROCESSING\", expected an object",
			Finding: record.Finding{
				Subject: "answer to an accepted export", Got: `file_state is the string "PROCESSING"`, Want: "an object",
				Expected: "an object", Actual: `"PROCESSING"`,
			}, Exchanges: []int{8}, Curl: curl, DurationMS: 12,
		},
		{
			Rule: "export.range.end_exclusive", Name: "drops the quote on the bound", Verdict: record.Fail,
			Message: "The deployment keeps rows dated on the end: 1 row too many, dated 2025-01-14T08:21:09.417Z",
			Finding: record.Finding{
				Subject: "export until 2025-01-14T08:21:09.417Z", Got: "1 row too many, dated 2025-01-14T08:21:09.417Z",
				Cause: "keeps rows dated on the end", Decisive: 13, Rows: []record.Row{
					{Date: "2025-01-14T07:00:00.000Z", Expected: true, Found: true},
					{Date: "2025-01-14T08:21:09.417Z", Found: true},
				}, Expected: "19 rows, without 2025-01-14T08:21:09.417Z",
				Actual:   "20 rows, the last one 2025-01-14T08:21:09.417Z",
				Attempts: 3, Failed: 2,
			}, Exchanges: []int{12, 13, 14, 15, 16, 17, 18, 19, 20, 21}, Curl: curl,
			DurationMS: 2210,
		},
		needs("export.filter.client_id", "keeps that client's rows", "fixtures.client_id"),
		needs("export.filter.prefix", "keeps none", "fixtures.client_id"),
		needs("export.isolation", "holds none of them", "credentials.other_user|fixtures.target_user_id"),
		{Rule: "export.success_status", Name: "records it", Verdict: record.Observed, Message: "202", Exchanges: []int{8}},
		pass("replay.none.same", "blocks the second", 22, 23),
		pass("auth.bearer", "is accepted", 1),
		{
			Rule: "auth.confidential", Name: "no answer repeats a credential " + Hostile, Verdict: record.Fail,
			Message: Hostile, Finding: record.Finding{
				Subject: Hostile, Got: Hostile, Expected: "no credential " + Hostile, Actual: Hostile + Hostile,
			}, Exchanges: []int{9}, Curl: "curl " + Hostile, DurationMS: 5,
		},
	}
}

// Waivers of the sample run: one in use, one expired, one that nothing needs, one that names no rule.
func Waivers() []deployment.Waiver {
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }
	return []deployment.Waiver{
		{Rule: "export.response.file_state", Reason: "GW-123, string until 2.4", Until: day(2026, 12, 31)},
		{Rule: "create.required.*", Reason: "GW-7 " + Hostile, Until: day(2026, 11, 19)},
		{Rule: "create.echo.*", Reason: "GW-99, accents were lost", Until: day(2027, 1, 31)},
		{Rule: "export.nowhere", Reason: "GW-5", Until: day(2027, 1, 31)},
	}
}

// Info of the sample run.
func Info() record.Info {
	return record.Info{
		ID: "0b9d6a52-6f5e-4c39-9d5e-1f4f4a6f6c11", Deployment: "staging", BaseURL: "https://gateway.staging.example",
		StartedAt: Start, FinishedAt: Start.Add(42 * time.Second), Seed: 1, Requests: 512,
		Created: record.Created{LegalRepresentatives: 31, Exports: 96}, Version: "1.2.0",
		Command: "gateassay conform -d staging.yaml --seed 1", File: "staging.yaml", InFlight: 16, PeakFlight: 16,
		Retries: 2,
	}
}

// Run is a run with every verdict, waivers in every state and hostile texts wherever a text can be.
func Run() record.Run {
	return record.Assemble(record.Found{
		Info: Info(), Catalogue: Catalogue(), Waivers: Waivers(), Checks: Checks(),
		Notes: []string{"2 requests were repeated after 429", Hostile},
	})
}

// Clean is a run in which every rule passed.
func Clean() record.Run {
	f := record.Found{Info: Info()}
	for _, r := range Catalogue() {
		if r.Statement == Hostile {
			continue
		}
		v := record.Pass
		if r.Level == rules.Observe {
			v = record.Observed
		}
		f.Catalogue = append(f.Catalogue, r)
		f.Checks = append(f.Checks, record.Check{
			Rule: r.ID, Name: "holds", Verdict: v, Exchanges: []int{1},
			DurationMS: 10,
		})
	}
	return record.Assemble(f)
}

// Unreachable is a run against a deployment that refused every connection, over n rules.
func Unreachable(n int) record.Run {
	f := record.Found{Info: Info()}
	for i := range n {
		id := fmt.Sprintf("%s.topic%d.detail%03d", []string{"create", "export", "replay", "auth"}[i%4], i%7, i)
		f.Catalogue = append(f.Catalogue, rules.Rule{
			ID: id, Level: rules.Must, Section: "Any",
			Statement: "Something holds.",
		})
		f.Checks = append(f.Checks, record.Check{
			Rule: id, Name: "holds", Verdict: record.Inconclusive,
			Message:   "no answer: connection refused: dial tcp 127.0.0.1:9: connect: connection refused",
			Exchanges: []int{i + 1},
		})
	}
	return record.Assemble(f)
}

// Large is a run with n failing rules whose texts are size bytes long.
func Large(n, size int) record.Run {
	f := record.Found{Info: Info()}
	text := ""
	for len(text) < size {
		text += Hostile
	}
	for i := range n {
		id := fmt.Sprintf("create.topic%d.detail%05d", i%9, i)
		f.Catalogue = append(f.Catalogue, rules.Rule{ID: id, Level: rules.Must, Section: "Any", Statement: text})
		f.Checks = append(f.Checks, record.Check{
			Rule: id, Name: text, Verdict: record.Fail, Message: fmt.Sprint(i) + ". " + text,
			Finding: record.Finding{Expected: text, Actual: text}, Curl: text, Exchanges: []int{i + 1},
		})
	}
	return record.Assemble(f)
}
