package deployment

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/strictyaml"
)

// problems parses a document that must be refused.
func problems(t *testing.T, text string) *strictyaml.Problems {
	t.Helper()
	_, err := parse(text)
	var all *strictyaml.Problems
	if !errors.As(err, &all) {
		t.Fatalf("accepted, or another error: %v\n%s", err, text)
	}
	return all
}

// mistakes are what a document goes on with, and the key and a part of the one problem that is found in it.
const mistakes = `
limits: {inflight: 3} → limits: unknown key "inflight"; did you mean in_flight?
shareholder_id: x → -: it belongs at fixtures.shareholder_id
load: {}⏎load: {} → load: the first is on line 4
limits: {in_flight: many} → limits.in_flight: a whole number from 1 to 10000, found "many"
limits: {in_flight: '3'} → limits.in_flight: without quotes
limits: {in_flight: 1.5} → limits.in_flight: a whole number
limits: {in_flight: 0} → limits.in_flight: from 1 to 10000
limits: {in_flight: 9223372036854775807} → limits.in_flight: from 1 to 10000
limits: {max_file_mib: 9223372036854775807} → limits.max_file_mib: from 1 to 1048576
limits: {timeout: 999999h} → limits.timeout: at most 1h
limits: {requests_per_second: 1e308} → limits.requests_per_second: from 0 to 1000000
limits: {requests_per_second: -1} → limits.requests_per_second: from 0
limits: {requests_per_second: .nan} → limits.requests_per_second: a number
limits: {max_creates: -1} → limits.max_creates: from 0
limits: {timeout: 15} → limits.timeout: add the unit: 15s
limits: {timeout: 0s} → limits.timeout: greater than zero
fixtures: {client_id: 0042} → fixtures.client_id: put it in quotes
load: {allow: yes} → load.allow: true or false
load: {max_rate: 0} → load.max_rate: greater than 0
load: always → load: a mapping with the keys allow, max_rate and credentials
fixtures: {client_id: [a]} → fixtures.client_id: found a list
fixtures: {product_id: 7c3b} → fixtures.product_id: a UUID
fixtures: {target_user_id: 7c3b1a520d4e4f6a9b8c2e1d0f5a6b01} → fixtures.target_user_id: a UUID
fixtures: {window: {start: 2025-02-01T00:00:00Z, end: 2025-01-01T00:00:00Z}}
    → fixtures.window.end: an end after the start
fixtures: {window: {start: 2025-02-01T00:00:00Z}} → fixtures.window.end: required, but missing
fixtures: {window: {start: 2025-02-01T00:00:00, end: 2025-03-01T00:00:00Z}} → fixtures.window.start: add the offset
fixtures: {shareholder_id: 7c3b1a52-0d4e-4f6a-9b8c-2e1d0f5a6b01, foreign_shareholder_id: 7C3B1A52-0d4e-4f6a-9b8c-2e1d0f5a6b01}
    → fixtures.foreign_shareholder_id: another legal person
export: {file: {request: GET /files}} → export.file.request: {file_id}
export: {file: {request: '/files/{file_id}'}} → export.file.request: METHOD /path
export: {file: {timeout: 3s}} → export.file.request: required, but missing
export: {file: {request: 'GET /f/{file_id}', url: data.url}} → export.file.url: write /data/url
export: {file: {request: 'GET /f/{file_id}', state: {pointer: /s, ready: []}}} → export.file.state.ready: an empty list
export: {file: {request: 'GET /f/{file_id}', state: {pointer: /s, ready: READY}}}
    → export.file.state.ready: write it as [READY]
export: {file: {request: 'GET /f/{file_id}', state: {pointer: /s, ready: [A], failed: [A]}}}
    → export.file.state.failed: "A" in both lists
export: {file: {request: 'GET /f/{file_id}', headers: {a b: c}}} → export.file.headers.a b: the name of a header
export: {csv: {time_zone: Mars/Olympus}} → export.csv.time_zone: IANA
export: {csv: {columns: {id: x, wallet_id: x}}} → export.csv.columns.wallet_id: a column of its own
legal_representative: {headers: {nonce: 'a b'}} → legal_representative.headers.nonce: the name of a header
legal_representative: {headers: {language: Nonce}} → legal_representative.headers.language: a header of its own
legal_representative: {headers: {nonce: Authorization}} → legal_representative.headers.nonce: already has another meaning
legal_representative: {fields: {adress: a}} → legal_representative.fields: unknown key "adress"; did you mean address?
legal_representative: {fields: {address: {city: a}}} → legal_representative.fields.address: dotted name
legal_representative: {fields: {name: a..b}} → legal_representative.fields.name: joined by dots
legal_representative: {fields: {name: email}} → legal_representative.fields.name: no other field
legal_representative: {fields: {name: email.x}} → legal_representative.fields.name: no other field
legal_representative: {field_types: {address.number: integer}}
    → legal_representative.field_types.address.number: number or string
legal_representative: {field_types: {adress.number: number}}
    → legal_representative.field_types: unknown key "adress.number"; did you mean address.number?
legal_representative: {documents: {path: /d}} → legal_representative.documents.path: {id}
legal_representative: {documents: {parts: {selfy: x}}}
    → legal_representative.documents.parts: unknown key "selfy"; did you mean selfie?
export: {path: v1/x} → export.path: begins with /
export: {path: /v1/x?y} → export.path: remove the query
tls: {client_cert: other.key} → tls.client_key: required beside client_cert
tls: {client_key: other.key} → tls.client_cert: required beside client_key
tls: {client_cert: other.key, client_key: other.key} → tls.client_cert: a certificate and its key in PEM
headers: {Nonce: x} → headers.Nonce: a header that requests do not already have
headers: {n: x}⏎legal_representative: {headers: {nonce: n}} → headers.n: a header that requests do not already have
headers: {x-a: "a\nb"} → headers.x-a: one line without control characters
headers: {x-a: b, X-A: c} → headers.x-a: each header once
headers: {Authorization: Bearer x} → headers.Authorization: credentials go under credentials
proxy: proxy.example → proxy: the address of a proxy
tls: {ca_file: nope.pem} → tls.ca_file: no such file
tls: {ca_file: other.key} → tls.ca_file: at least one certificate
waivers: [{rule: create.a, until: 2026-01-01}] → waivers[0].reason: required, but missing
waivers: [{reason: a, until: 2026-01-01}] → waivers[0].rule: required, but missing
waivers: [{rule: create.a, reason: b}] → waivers[0].until: required, but missing
waivers: [{rule: create.a, reason: b, until: 2026-02-30}] → waivers[0].until: a day such as
waivers: [{rule: '*', reason: b, until: 2026-02-03}] → waivers[0].rule: the ID of a rule
fixtures: {client_id: '${NOPE}'} → fixtures.client_id: NOPE is not set
fixtures: {client_id: '${a b}'} → fixtures.client_id: the name of an environment variable
fixtures: {client_id: '${NOPE'} → fixtures.client_id: a closing brace
fixtures: {client_id: 'file:nope.txt'} → fixtures.client_id: a readable file at "nope.txt"
fixtures: {client_id: 'file:/dev/zero'} → fixtures.client_id: a device or pipe
limits: {in_flight: '${GATEWAY_TOKEN}'} → limits.in_flight: what GATEWAY_TOKEN holds (not shown)
fixtures: {<<: {client_id: a}} → fixtures: repeat the keys
---⏎name: b → -: a second one
`

func TestEachMistakeIsNamed(t *testing.T) {
	for line := range strings.SplitSeq(strings.TrimSpace(strings.ReplaceAll(mistakes, "\n    →", " →")), "\n") {
		text, found, _ := strings.Cut(line, " → ")
		key, says, _ := strings.Cut(found, ": ")
		t.Run(text, func(t *testing.T) {
			all := problems(t, minimal+strings.ReplaceAll(text, "⏎", "\n")+"\n")
			if len(all.All) != 1 {
				t.Fatalf("want one problem:\n%v", all)
			}
			p := all.All[0]
			equal(t, "key", p.Key, strings.TrimPrefix(key, "-"))
			if !strings.Contains(p.String(), says) {
				t.Errorf("want %q in:\n%v", says, p)
			}
			if p.Line < 4 || p.Column < 1 {
				t.Errorf("placed at %d:%d", p.Line, p.Column)
			}
		})
	}
}

func TestCredentialsThatAreIssued(t *testing.T) {
	for text, want := range map[string]string{
		"{command: [no-such-program-anywhere]}":                              "credentials.platform_token.command: expected a program that can be run",
		"{command: [./other.key]}":                                           "credentials.platform_token.command: expected a program that can be run",
		"{command: []}":                                                      "credentials: required, but missing",
		"{command: [echo], bearer: aaaaaaaa}":                                "expected one of bearer, api_key, command and oauth2, found bearer and command",
		"{refresh: 10m}":                                                     "found none of them",
		"{command: [echo], refresh: 0s}":                                     "a duration greater than zero",
		"{comand: [echo]}":                                                   `unknown key "comand"; did you mean command?`,
		"{oauth2: {token_url: http://h/t, client_id: a}}":                    "credentials.platform_token.oauth2.client_secret: required, but missing",
		"{oauth2: {token_url: h, client_id: a, client_secret: s3cret-s3c}}":  "the address of a token endpoint",
		"{oauth2: {token_url: http://h, client_id: [a], client_secret: s3}}": "credentials.platform_token.oauth2.client_id: expected text, found a list",
	} {
		_, err := parse("name: a\nbase_url: http://h\ncredentials: {platform_token: " + text + "}\n")
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	f, err := parse("name: a\nbase_url: http://h\ncredentials:\n  api_key: {command: [echo, k], refresh: 10m}\n" +
		"  other_user: {oauth2: {token_url: http://h/t, client_id: a, client_secret: s3cret-s3cret}}\n")
	if err != nil {
		t.Fatal(err)
	}
	c := f.Credentials
	if c.APIKey.Method != APIKey || c.APIKey.Issuer.Refresh != 10*time.Minute || c.APIKey.Issuer.Command[1] != "k" ||
		!c.APIKey.Genuine() {
		t.Errorf("%+v", c.APIKey.Issuer)
	}
	if c.OtherUser.Method != Bearer || c.OtherUser.Issuer.OAuth2.ClientID != "a" ||
		f.Secrets()["other_user.oauth2.client_secret"] != "s3cret-s3cret" {
		t.Errorf("%+v", f.Secrets())
	}
	changed := *c.APIKey
	if changed.Value = "tampered"; changed.Genuine() {
		t.Error("a changed copy passes for the credential")
	}
}

func TestHeadersThatAuthenticateStayOnHTTPS(t *testing.T) {
	env := environment(map[string]string{"ROUTE": "a-route-that-is-long", "SHORT": "blue"})
	f, err := Parse("t.yaml", "", []byte("name: a\nbase_url: https://h\ncredentials: {api_key: k}\n"+
		"proxy: http://user:swordfish@h:1\nheaders: {x-token: abcdefgh, x-route: '${ROUTE}', x-environment: '${SHORT}'}\n"), env)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "over https", len(f.HeadersTo("https")), 3)
	plain := f.HeadersTo("http")
	equal(t, "over http", len(plain), 1)
	equal(t, "environment", plain["x-environment"], "blue")
	for name, want := range map[string]string{
		"headers.x-token": "abcdefgh", "headers.x-route": "a-route-that-is-long",
		"proxy": "swordfish",
	} {
		equal(t, name, f.Secrets()[name], want)
	}
	equal(t, "secrets", len(f.Secrets()), 4)
}

func TestNobodyElseHasTheCredentialOfTheRun(t *testing.T) {
	for text, want := range map[string]string{
		"{platform_token: one-and-the-same, unprivileged: {bearer: one-and-the-same}}": "credentials.unprivileged: expected a credential of somebody who may not create representatives, found the value of credentials.platform_token",
		"{api_key: one-and-the-same, other_user: {api_key: one-and-the-same}}":         "credentials.other_user: expected a credential of another legal person, found the value of credentials.api_key",
	} {
		_, err := parse("name: a\nbase_url: http://h\ncredentials: " + text + "\n")
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "one-and-the-same") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := parse(
		"name: a\nbase_url: http://h\ncredentials: {platform_token: this, api_key: that, other_user: {bearer: those}}\n"); err != nil {
		t.Error(err)
	}
}

func TestBaseURLs(t *testing.T) {
	for address, ok := range map[string]bool{
		"http://h": true, "https://h:1/base/": true, "http://[::1]:80": true,
		"ftp://h": false, "h": false, "//h": false, "http://": false, "http://h?q": false, "http://h/#f": false,
		"http://h:0":     false,
		"http://h:99999": false, "http://h:": false, "http:h": false, "http://a b": false, "http://user:pass@h": false,
	} {
		_, err := parse("name: a\nbase_url: '" + address + "'\ncredentials: {api_key: k}\n")
		if (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
		if err != nil && strings.Contains(err.Error(), "pass@") {
			t.Errorf("shows the password: %v", err)
		}
	}
}

func TestRequiredKeys(t *testing.T) {
	all := problems(t, "tls: {}\n")
	var keys []string
	for _, p := range all.All {
		keys = append(keys, p.Key)
	}
	equal(t, "keys", strings.Join(keys, " "), "name base_url credentials")
	all = problems(t, "name: a\nbase_url: http://h\ncredentials: {other_user: b}\n")
	if len(all.All) != 1 || !strings.Contains(all.Error(), "at least one of platform_token and api_key") {
		t.Errorf("got:\n%v", all)
	}
}

func TestPrintsLikeACompiler(t *testing.T) {
	all := problems(t, minimal+"limits:\n    in_flight: many\n\ttimeout: x\n")
	if len(all.All) != 1 || all.All[0].Line != 6 {
		t.Errorf("the tab is on line 6:\n%v", all)
	}
	all = problems(t, minimal+"limits:\n    in_flight: many\n    timeout: 15\n")
	want := "t.yaml:5:16: limits.in_flight: expected a whole number from 1 to 10000, found \"many\"\n" +
		"     5 |     in_flight: many\n" +
		"       |                ^\n" +
		"t.yaml:6:14: limits.timeout: expected a duration greater than zero and at most 1h with its unit, such as 15s or 2m, found 15\n" +
		"     6 |     timeout: 15\n" +
		"       |              ^\n" +
		"       hint: add the unit: 15s"
	equal(t, "message", all.Error(), want)
}

func TestLongLinesAreCut(t *testing.T) {
	all := problems(t, minimal+"limits: {timeout: "+strings.Repeat(" ", 5000)+"x}\n")
	p := all.All[0]
	if n := len([]rune(p.SourceLine)); n > strictyaml.Widest+2 {
		t.Errorf("shows %d characters", n)
	}
	equal(t, "what the caret points at", string([]rune(p.SourceLine)[p.Caret]), "x")
}
