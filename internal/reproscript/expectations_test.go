package reproscript

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/testmust"
)

// meaning is what answers say about a finding: the exit code of a script.
type meaning struct {
	code    int
	answers []string
}

func gone(answers ...string) meaning    { return meaning{0, answers} }
func there(answers ...string) meaning   { return meaning{1, answers} }
func unclear(answers ...string) meaning { return meaning{2, answers} }

func TestAnswersTellWhetherAFindingIsThere(t *testing.T) {
	record := func(id string) string {
		return `201 {"id":"` + id + `","address":{"id":"x"},"name":"a"}`
	}
	a, b := record("aa"), record("bb")
	now := time.Now().UTC().Format(time.RFC3339)
	step := to("/x", `{"a":1}`, nil)
	one, two := []Step{step}, []Step{step, step}
	step.Times = 4
	race := []Step{step}
	status := func(right ...string) ExpectStatus { return ExpectStatus{Right: right} }
	for _, c := range []struct {
		expectation Expectation
		steps       []Step
		meanings    []meaning
	}{
		{status("4xx"), one, []meaning{
			there("201 {}"), there("500 {}"), unclear("503 {}"), unclear("401 {}"), unclear("0 "),
		}},
		{status("4xx"), two, []meaning{there("201 {}", "0 ")}},
		{status("400", "422"), one, []meaning{gone("422 {}")}},
		{ExpectStatus{Right: []string{"4xx"}, Except: []string{"403"}}, one, []meaning{there("403 {}")}},
		{ExpectStatus{Right: []string{"4xx"}, Without: `"file_id"`}, one, []meaning{
			there(`422 {} {"file_id":"1"}`), gone(`422 {"error":1}`),
		}},
		{status("2xx"), two, []meaning{there("201 {}", "401 {}")}},
		{status("401"), one, []meaning{gone("401 {}")}},
		{status("401"), two, []meaning{unclear("403 {}", "401 {}")}},
		{ExpectBlocked{}, two, []meaning{
			there(`200 {"file_id":"a"}`), gone(`200 {"file_id":"a"}`, `409 {}`),
			there(`200 {"file_id":"a"}`, "409 {}", `200 {"file_id":"b"}`),
			gone(`200 {"file_id":"a"}`, `200 {"file_id":""}`), unclear(`200 {"file_id":"a"}`, "0 "),
			unclear(`429 {}`),
		}},
		{ExpectBlocked{AfterMore: 2}, two, []meaning{
			there(`200 {"file_id":"a"}`, `200 {"file_id":"b"}`),
			there(`200 {"file_id":"a"}`, "409 {}", `200 {"file_id":"b"}`, "409 {}", `200 {"file_id":"c"}`),
			gone(`200 {"file_id":"a"}`, "409 {}", `200 {"file_id":"b"}`, `200 {"file_id":"c"}`, "409 {}"),
			unclear(`200 {"file_id":"a"}`, "409 {}", `200 {"file_id":"b"}`, "429 {}"),
		}},
		{ExpectValue{Path: "address.zip", Right: `"[0-9]{8}"`}, one, []meaning{
			there(`201 {"address":{"zip":"0123"}}`),
		}},
		{ExpectValue{Path: "name", Right: `"São \\"x"`}, one, []meaning{
			gone(`201 { "name" : "S\u00e3o \"x" }`),
		}},
		{ExpectValue{Path: "name", Right: `"😀/é"`}, one, []meaning{
			gone(`201 {"name":"\uD83D\ude00\/\u00E9"}`),
		}},
		{ExpectValue{Path: "name", Right: `"a"`}, one, []meaning{there(`201 {"name":"a\u0000"}`)}},
		{ExpectValue{Path: "n", Right: `1|2`}, one, []meaning{there(`201 {"n":12}`)}},
		{ExpectValue{Path: "name", Right: `"a"`}, one, []meaning{gone(`201 {"data":{"name":"a"}}`)}},
		{ExpectValue{Path: "id", Right: `absent`}, one, []meaning{gone(`201 {"document":{"id":1}}`)}},
		{ExpectValue{Path: "list.1", Right: `object`}, one, []meaning{
			gone(`201 {"list":[[],{"a":[]}]}`),
		}},
		{ExpectValue{Path: "n", Right: `1`, Refused: true}, one, []meaning{gone("422 {}")}},
		{ExpectValue{Path: "n", Right: `null`, Not: true}, one, []meaning{there(`201 {"n":null}`)}},
		{ExpectValue{Path: "n", Right: `1`}, one, []meaning{
			unclear(`400 {"n":1}`), unclear(`200 {"n":1`),
		}},
		{ExpectCurrentTime{"at"}, one, []meaning{
			gone(`200 {"at":"` + now + `"}`), there(`200 {"at":"2024-02-29T10:00:00.123+03:00"}`),
			unclear(`200 {}`),
		}},
		{ExpectJSONObject{}, one, []meaning{
			gone("200 \n{\"a\": [1, -2.5e3, true, null, \"x, {y\"], \"b\": {}}\r\n"), there(`200 [{}]`),
			there(`200 {"a":"x}`), there(`200 {}{}`), there(`200 `), unclear(`504 {}`),
			gone(`200 {"a":"São ࠀ 한 株 \uffff 😀"}`), there("200 {\"a\":\"S\xe3o\"}"),
			there("200 {\"a\":\"\xed\xa0\x80\"}"), there("200 {\"a\":\"\xc3\xc3\xa7\"}"),
		}},
		{ExpectOneRecord{}, two, []meaning{
			gone(a, a), gone(a, "409 {}"), there(a, b), there(a, "500 {}"), unclear("201 {}", b),
			there(a, a, b), there(a, "409 {}", b), // two processes take turns
		}},
		{ExpectOneRecord{Other: true}, two, []meaning{
			there(a, b), there(a, "409 {}", b), gone(a, "422 {}"),
		}},
		{ExpectOneRecord{Two: true}, two, []meaning{gone(a, b), there(a, a), there(a, "409 {}")}},
		{ExpectUnchanged{[]string{"name", "id"}}, two, []meaning{there(a, b)}},
		{ExpectUnchanged{[]string{"name", "no"}}, two, []meaning{gone(a, b), gone(a, "409 {}")}},
		{ExpectDifferent{"id"}, two, []meaning{gone(a, b), there(a, a), unclear(a, "201 {}")}},
		{ExpectAtMostOne{}, race, []meaning{
			there("409 {}", "200 {}", "200 {}", "409 {}"), unclear("409 {}"),
			gone("200 {}", "409 {}", "409 {}", "409 {}", "200 {}", "409 {}", "409 {}", "409 {}", "200 {}",
				"409 {}"),
		}},
		{ExpectAtMostOne{Records: true}, race, []meaning{
			gone(a), there(a, a, "409 {}", b), unclear(a, a, "503 {}"),
		}},
		{ExpectEnvelope{[]string{"id"}}, one, []meaning{
			there(`200 {"data":{"id":"x"}}`), gone(`200 {"id":"x"}`),
		}},
		{ExpectSameMessages{}, two, []meaning{
			there(`400 {"e":"sem e-mail"}`, `400 {"e":"no e-mail"}`),
			gone(`400 {"e":"no e-mail","at":"1"}`, `400 {"e":"no e-mail","at":"2"}`),
		}},
		{ExpectNoLeak{}, one, []meaning{
			gone("401 {}"), there("400 Bearer " + ownToken), there("400 " + strings.Split(ownToken, ".")[2]),
			unclear("502 "),
		}},
		{ExpectSameStatus{}, two, []meaning{
			gone("404 a", "404 b"), there("404 a", "403 b"), unclear("404 a", "429 b"),
		}},
	} {
		for i, m := range c.meanings {
			t.Run(fmt.Sprintf("%T %d", c.expectation, i), func(t *testing.T) {
				t.Parallel()
				code, output, _ := run(t,
					Script{Rule: "a.rule", Level: "must", Steps: c.steps, Expectation: c.expectation},
					answers(m.answers...))
				lines := strings.Split(strings.TrimSpace(output), "\n")
				words := []string{"gone: ", "still there: ", "could not tell: "}[min(code, 2)]
				if code != m.code || !strings.HasPrefix(lines[len(lines)-1], words) ||
					strings.Contains(output, ownToken) {
					t.Errorf("%+v, %q: %d, expected %d\n%s", c.expectation, m.answers, code, m.code, output)
				}
				for _, line := range lines[:len(lines)-1] {
					if len([]rune(line)) > 80 || !strings.Contains(line, "sends /x: ") {
						t.Errorf("%q", line)
					}
				}
			})
		}
	}
}

// csv returns a gateway that starts an export and links to the file on another origin, at the first
// look or after it was busy for a while.
func csv(t *testing.T, file string, isBusy bool) http.HandlerFunc {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		testmust.Equal(t, r.Header.Get("Authorization"), "")
		testmust.Equal(t, r.Header.Get("nonce"), "")
		io.WriteString(w, file)
	}))
	t.Cleanup(other.Close)
	var mu sync.Mutex
	looks, nonces := 0, map[string]bool{}
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case r.URL.Path == "/api/exports":
			io.WriteString(w, `{"file_id":"file 1"}`)
		case r.URL.Path != "/api/files/file 1" || r.Header.Get("Authorization") != "Bearer "+ownToken ||
			nonces[r.Header.Get("nonce")]:
			t.Errorf("%s %v", r.URL, r.Header)
			w.WriteHeader(http.StatusForbidden)
		case isBusy && looks == 0:
			looks++
			w.WriteHeader(http.StatusNotFound)
		case isBusy && looks == 1:
			looks++
			io.WriteString(w, `{"state":"BUSY"}`)
		case isBusy && looks == 2:
			looks++
			w.Header().Set("Location", "file%201?once=more")
			w.WriteHeader(http.StatusFound)
		default:
			fmt.Fprintf(w, `{"state":"READY","url":"%s\/x\u0026y"}`, other.URL)
		}
		nonces[r.Header.Get("nonce")] = true
	}
}

func TestFilesAreAwaitedAndRead(t *testing.T) {
	file := "\uFEFFid;date;note\r\naaaa;2025-01-01;\"a;\"\"b\"\r\nbbbb;2025-01-02;\"two\r\nlines\"\r\n\"cccc\";2025-01-03;x\r\n"
	for name, c := range map[string]struct {
		expectation Expectation
		file        string
		want        int
	}{
		"rows gone": {ExpectRows{
			With: []string{"aaaa", "cccc"}, Without: [][]string{{"dddd"}, {"aaa"}, {"aaaa", "2025-01-02"}, {"2025-01-01", "aaaa"}},
			Once: []string{"aaaa"}, Order: [2]string{"aaaa", "bbbb"},
		}, file, 0},
		"a row is missing":   {ExpectRows{With: []string{"dddd"}}, file, 1},
		"a row too many":     {ExpectRows{Without: [][]string{{"cccc"}}}, file, 1},
		"a row of that date": {ExpectRows{Without: [][]string{{"cccc", "2025-01-03"}}}, file, 1},
		"a row of two lines": {
			ExpectRows{Without: [][]string{{"dddd", "2025-01-04"}}},
			file + "dddd;\"two\r\nlines\";2025-01-04\r\n", 1,
		},
		"a row twice":         {ExpectRows{Once: []string{"aaaa"}}, file + "aaaa;;\r\n", 1},
		"another order":       {ExpectRows{Order: [2]string{"bbbb", "aaaa"}}, file, 1},
		"an order of nothing": {ExpectRows{Order: [2]string{"bbbb", "eeee"}}, file, 2},
		"table gone":          {ExpectCSV{}, file, 0},
		"table cut":           {ExpectCSV{}, file + "dddd;x", 1},
		"table short":         {ExpectCSV{}, file + "dddd;x\n", 1},
		"table open":          {ExpectCSV{}, file + "dddd;\"x;y\n", 1},
		"table within":        {ExpectCSV{}, file + "dddd;x\"y;z\n", 1},
		"file gone":           {ExpectFileFetched{}, file, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			export := to("/exports", `{}`, http.Header{"nonce": {idA}})
			export.Fetch = true
			s := Script{Steps: []Step{export}, Expectation: c.expectation, File: &deployment.Retrieval{
				Request: "GET /files/{file_id}", Headers: map[string]string{"nonce": "{uuid}"}, URL: "/url",
				State: &deployment.FileState{
					Pointer: "/state",
					Ready:   []string{"READY"},
					Failed:  []string{"ERROR"},
				},
				Timeout: 20 * time.Second,
			}}
			if code, output, _ := run(t, s, csv(t, c.file, c.want == 0)); code != c.want {
				t.Errorf("%d\n%s", code, output)
			}
		})
	}
}

func TestFilesAgreeOnRows(t *testing.T) {
	t.Parallel()
	for want, files := range [][2]string{
		{"id,date\na,1\nb,2\n", "id,date\nb,2\na,1\n"},
		{"id,date\na,1\nb,2\n", "id,date\nb,2\n"},
	} {
		steps := []Step{to("/exports", `{}`, nil), to("/exports", `{"order":"asc"}`, nil)}
		steps[0].Fetch, steps[1].Fetch = true, true
		s := Script{
			Steps: steps, Expectation: ExpectSameRows{Rows: [][]string{{"a", "1"}, {"c"}}},
			File: &deployment.Retrieval{Request: "GET /files/{file_id}", Timeout: 20 * time.Second},
		}
		n := 0
		code, output, _ := run(t, s, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				n++
				fmt.Fprintf(w, `{"file_id":"%d"}`, n)
				return
			}
			io.WriteString(w, files[n-1])
		})
		testmust.Equal(t, code, want, output)
	}
}
