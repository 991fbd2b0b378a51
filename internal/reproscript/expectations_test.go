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
)

func TestSignsTellWhatIsThere(t *testing.T) {
	record := func(id string) string {
		return `201 {"id":"` + id + `","address":{"id":"x"},"name":"a"}`
	}
	now := time.Now().UTC().Format(time.RFC3339)
	one, two := []Step{to("/x", `{"a":1}`, nil)}, []Step{to("/x", `{"a":1}`, nil), to("/x", `{"a":1}`,
		nil)}
	race := []Step{to("/x", `{"a":1}`, nil)}
	race[0].Times = 4
	for name, c := range map[string]struct {
		expectation Expectation
		steps       []Step
		answers     []string
		want        int
	}{
		"status there": {ExpectStatus{Right: []string{"4xx"}}, one, []string{"201 {}"}, 1},
		"status gone":  {ExpectStatus{Right: []string{"400", "422"}}, one, []string{"422 {}"}, 0},
		"status excepted": {
			ExpectStatus{Right: []string{"4xx"}, Except: []string{"403"}}, one, []string{"403 {}"}, 1,
		},
		"status with the result behind it": {
			ExpectStatus{Right: []string{"4xx"}, Without: `"file_id"`}, one, []string{`422 {} {"file_id":"1"}`}, 1,
		},
		"status without a result": {
			ExpectStatus{Right: []string{"4xx"}, Without: `"file_id"`}, one, []string{`422 {"error":1}`}, 0,
		},
		"status a crash":         {ExpectStatus{Right: []string{"4xx"}}, one, []string{"500 {}"}, 1},
		"status an outage":       {ExpectStatus{Right: []string{"4xx"}}, one, []string{"503 {}"}, 2},
		"status of a credential": {ExpectStatus{Right: []string{"4xx"}}, one, []string{"401 {}"}, 2},
		"status of a known one": {
			ExpectStatus{Right: []string{"2xx"}}, two, []string{"201 {}", "401 {}"}, 1,
		},
		"status 401": {ExpectStatus{Right: []string{"401"}}, one, []string{"401 {}"}, 0},
		"status after a " +
			"refusal": {ExpectStatus{Right: []string{"401"}}, two, []string{"403 {}", "401 {}"}, 2},
		"status of a dropped one": {
			ExpectStatus{Right: []string{"4xx"}}, two, []string{"201 {}", "0 "}, 1,
		},
		"status of none":      {ExpectStatus{Right: []string{"4xx"}}, one, []string{"0 "}, 2},
		"blocked by dropping": {ExpectBlocked{}, two, []string{`200 {"file_id":"a"}`, "0 "}, 2},
		"blocked there":       {ExpectBlocked{}, two, []string{`200 {"file_id":"a"}`}, 1},
		"blocked gone":        {ExpectBlocked{}, two, []string{`200 {"file_id":"a"}`, `409 {}`}, 0},
		"blocked without an ID": {
			ExpectBlocked{}, two, []string{`200 {"file_id":"a"}`, `200 {"file_id":""}`}, 0,
		},
		"blocked unknown": {ExpectBlocked{}, two, []string{`429 {}`}, 2},
		"value there": {ExpectValue{
			Path: "address.zip", Right: `"[0-9]{8}"`,
		}, one, []string{`201 {"address":{"zip":"0123"}}`}, 1},
		"value gone": {ExpectValue{
			Path: "name", Right: `"São \\"x"`,
		}, one, []string{`201 { "name" : "S\u00e3o \"x" }`}, 0},
		"value of a pair": {ExpectValue{
			Path: "name", Right: `"😀/é"`,
		}, one, []string{`201 {"name":"\uD83D\ude00\/\u00E9"}`}, 0},
		"value as a whole": {ExpectValue{Path: "n", Right: `1|2`}, one, []string{`201 {"n":12}`}, 1},
		"value in an envelope": {
			ExpectValue{Path: "name", Right: `"a"`}, one, []string{`201 {"data":{"name":"a"}}`}, 0,
		},
		"value absent": {
			ExpectValue{Path: "id", Right: `absent`}, one, []string{`201 {"document":{"id":1}}`}, 0,
		},
		"value an object": {
			ExpectValue{Path: "list.1", Right: `object`}, one, []string{`201 {"list":[[],{"a":[]}]}`}, 0,
		},
		"value refused": {ExpectValue{Path: "n", Right: `1`, Refused: true}, one, []string{"422 {}"}, 0},
		"value not": {
			ExpectValue{Path: "n", Right: `null`, Not: true}, one, []string{`201 {"n":null}`}, 1,
		},
		"value unknown":    {ExpectValue{Path: "n", Right: `1`}, one, []string{`400 {"n":1}`}, 2},
		"value of no JSON": {ExpectValue{Path: "n", Right: `1`}, one, []string{`200 {"n":1`}, 2},
		"now gone":         {ExpectCurrentTime{"at"}, one, []string{`200 {"at":"` + now + `"}`}, 0},
		"now there": {
			ExpectCurrentTime{"at"}, one, []string{`200 {"at":"2024-02-29T10:00:00.123+03:00"}`}, 1,
		},
		"now unknown": {ExpectCurrentTime{"at"}, one, []string{`200 {}`}, 2},
		"document gone": {ExpectJSONObject{}, one, []string{"200 \n{\"a\": [1, -2.5e3, true, " +
			"null, \"x, {y\"], \"b\": {}}\r\n"}, 0},
		"document an array":  {ExpectJSONObject{}, one, []string{`200 [{}]`}, 1},
		"document cut":       {ExpectJSONObject{}, one, []string{`200 {"a":"x}`}, 1},
		"document two":       {ExpectJSONObject{}, one, []string{`200 {}{}`}, 1},
		"document empty":     {ExpectJSONObject{}, one, []string{`200 `}, 1},
		"document unknown":   {ExpectJSONObject{}, one, []string{`504 {}`}, 2},
		"one record gone":    {ExpectOneRecord{}, two, []string{record("aa"), record("aa")}, 0},
		"one record refused": {ExpectOneRecord{}, two, []string{record("aa"), "409 {}"}, 0},
		"one record there":   {ExpectOneRecord{}, two, []string{record("aa"), record("bb")}, 1},
		"one record crashed": {ExpectOneRecord{}, two, []string{record("aa"), "500 {}"}, 1},
		"one record unknown": {ExpectOneRecord{}, two, []string{"201 {}", record("bb")}, 2},
		"no other there": {ExpectOneRecord{Other: true}, two, []string{record(
			"aa"), record("bb")}, 1},
		"no other gone":       {ExpectOneRecord{Other: true}, two, []string{record("aa"), "422 {}"}, 0},
		"two records gone":    {ExpectOneRecord{Two: true}, two, []string{record("aa"), record("bb")}, 0},
		"two records there":   {ExpectOneRecord{Two: true}, two, []string{record("aa"), record("aa")}, 1},
		"two records refused": {ExpectOneRecord{Two: true}, two, []string{record("aa"), "409 {}"}, 1},
		"unchanged there": {ExpectUnchanged{[]string{"name", "id"}}, two, []string{record(
			"aa"), record("bb")}, 1},
		"unchanged gone": {ExpectUnchanged{[]string{"name", "no"}}, two, []string{record(
			"aa"), record("bb")}, 0},
		"unchanged not shown": {ExpectUnchanged{[]string{"name"}}, two, []string{record(
			"aa"), "409 {}"}, 0},
		"differ gone":    {ExpectDifferent{"id"}, two, []string{record("aa"), record("bb")}, 0},
		"differ there":   {ExpectDifferent{"id"}, two, []string{record("aa"), record("aa")}, 1},
		"differ unknown": {ExpectDifferent{"id"}, two, []string{record("aa"), "201 {}"}, 2},
		"at most one there": {
			ExpectAtMostOne{}, race, []string{"409 {}", "200 {}", "200 {}", "409 {}"}, 1,
		},
		"at most one gone": {ExpectAtMostOne{}, race, []string{
			"200 {}",
			"409 {}", "409 {}", "409 {}", "200 {}", "409 {}", "409 {}", "409 {}", "200 {}", "409 {}",
		}, 0},
		"at most one unknown": {ExpectAtMostOne{}, race, []string{"409 {}"}, 2},
		"records of a race": {ExpectAtMostOne{Records: true}, race, []string{record(
			"aa"), record("aa"), "409 {}", record("bb")}, 1},
		"one record of a race": {ExpectAtMostOne{Records: true}, race, []string{record("aa")}, 0},
		"a race with an outage": {ExpectAtMostOne{Records: true}, race, []string{record(
			"aa"), record("aa"), "503 {}"}, 2},
		"enveloped":      {ExpectEnvelope{[]string{"id"}}, one, []string{`200 {"data":{"id":"x"}}`}, 1},
		"enveloped gone": {ExpectEnvelope{[]string{"id"}}, one, []string{`200 {"id":"x"}`}, 0},
		"other words": {
			ExpectSameMessages{}, two, []string{`400 {"e":"sem e-mail"}`, `400 {"e":"no e-mail"}`}, 1,
		},
		"other words gone": {ExpectSameMessages{}, two, []string{
			`400 {"e":"no e-mail","at":"1"}`, `400 {"e":"no e-mail","at":"2"}`,
		}, 0},
		"no leak gone":  {ExpectNoLeak{}, one, []string{"401 {}"}, 0},
		"no leak there": {ExpectNoLeak{}, one, []string{"400 Bearer " + token}, 1},
		"no leak of a " +
			"signature": {ExpectNoLeak{}, one, []string{"400 " + strings.Split(token, ".")[2]}, 1},
		"no leak unknown":     {ExpectNoLeak{}, one, []string{"502 "}, 2},
		"same status gone":    {ExpectSameStatus{}, two, []string{"404 a", "404 b"}, 0},
		"same status there":   {ExpectSameStatus{}, two, []string{"404 a", "403 b"}, 1},
		"same status unknown": {ExpectSameStatus{}, two, []string{"404 a", "429 b"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, output, _ := run(t,
				Script{Rule: "a.rule", Level: "must", Steps: c.steps, Expectation: c.expectation},
				answers(c.answers...))
			last := strings.Split(strings.TrimSpace(output), "\n")
			words := []string{"gone: ", "still there: ", "could not tell: "}[min(code, 2)]
			if code != c.want || !strings.HasPrefix(last[len(last)-1], words) ||
				strings.Contains(output, token) {
				t.Errorf("%d\n%s", code, output)
			}
			for _, line := range last[:len(last)-1] {
				if len([]rune(line)) > 80 || !strings.Contains(line, "sends /x: ") {
					t.Errorf("%q", line)
				}
			}
		})
	}
}

// csv returns a gateway that starts an export, polls as busy for a while, and then links to the
// file on another origin.
func csv(t *testing.T, file string) http.HandlerFunc {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" || r.Header.Get("nonce") != "" {
			t.Errorf("a credential reached another origin: %v", r.Header)
		}
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
		case r.URL.Path != "/api/files/file 1" || r.Header.Get("Authorization") != "Bearer "+token ||
			nonces[r.Header.Get("nonce")]:
			t.Errorf("%s %v", r.URL, r.Header)
			w.WriteHeader(http.StatusForbidden)
		case looks == 0:
			looks++
			w.WriteHeader(http.StatusNotFound)
		case looks == 1:
			looks++
			io.WriteString(w, `{"state":"BUSY"}`)
		case looks == 2:
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
			if code, output, _ := run(t, s, csv(t, c.file)); code != c.want {
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
		if code != want {
			t.Errorf("%d, expected %d\n%s", code, want, output)
		}
	}
}
