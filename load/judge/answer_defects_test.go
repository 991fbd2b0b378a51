package judge

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gateassay/gateassay/internal/schema"
	"github.com/gateassay/gateassay/internal/testmust"
)

const sound = `{"file_id":"2b1f","file_state":{"state":"PROCESSING"},"created_at":"2025-03-01T12:00:00.123Z"}`

var answers = []struct {
	body string
	want AnswerDefect
}{
	{sound, DefectNone},
	{
		" \r\n\t{ \"created_at\" : \"2025-03-01t12:00:00-03:00\" ,\n\"file_state\" : { } , " +
			"\"file_id\" : \"\\u00e9\" }\n",
		DefectNone,
	},
	{
		`{"file_id":"a","file_state":{"deep":[[[{"x":[1,-0.5e+7,true,false,null,"\\\"\/\b\f\n\r\t"]}]]],"file_id":""},"created_at":"2024-02-29T23:59:59.999999999999Z","more":[]}`,
		DefectNone,
	},
	{`{"file\u005fid":"a","file_state":{},"created\u005fat":"2025-03-01T12:00:00Z"}`, DefectNone},
	{`{"file_id":"a","file_state":{},"created_at":"2025\u002d03-01T12:00:00Z"}`, DefectNone},
	{`{"file_id":"","file_id":"a","file_state":{},"created_at":"2025-03-01T12:00:00Z"}`, DefectNone},
	{
		`{"file_id":"a","file_id":"","file_state":{},"created_at":"2025-03-01T12:00:00Z"}`,
		DefectNoFileID,
	},
	{
		`{"file_id":"a","file_state":{},"created_at":"2025-03-01T12:00:00Z","file_state":null}`,
		DefectNoFileState,
	},
	{"{\"file_id\":\"\xff\",\"file_state\":{},\"created_at\":\"2025-03-01T12:00:00Z\"}", DefectNone},
	{``, DefectNotObject},
	{`accepted`, DefectNotObject},
	{`null`, DefectNotObject},
	{`[` + sound + `]`, DefectNotObject},
	{sound + sound, DefectNotObject},
	{sound[:len(sound)-1], DefectNotObject},
	{`{"file_id":"a",}`, DefectNotObject},
	{`{"a":01}`, DefectNotObject},
	{`{"a":tru}`, DefectNotObject},
	{`{"a":"\x"}`, DefectNotObject},
	{"{\"a\":\"\n\"}", DefectNotObject},
	{`{"a":[1,]}`, DefectNotObject},
	{"\ufeff" + sound, DefectNotObject},
	{`{"error":{"code":"replayed"}}`, DefectNoFileID},
	{`{"file_id":7,"file_state":{},"created_at":"2025-03-01T12:00:00Z"}`, DefectNoFileID},
	{`{"File_ID":"a","file_state":{},"created_at":"2025-03-01T12:00:00Z"}`, DefectNoFileID},
	{
		`{"file_id":"a","file_state":"PROCESSING","created_at":"2025-03-01T12:00:00Z"}`,
		DefectNoFileState,
	},
	{`{"file_id":"a","file_state":{}}`, DefectNoCreatedAt},
	{`{"file_id":"a","file_state":{},"created_at":1740830400}`, DefectNoCreatedAt},
	{`{"file_id":"a","file_state":{},"created_at":"2025-02-29T12:00:00Z"}`, DefectNoCreatedAt},
	{`{"file_id":"a","file_state":{},"created_at":"2025-03-01"}`, DefectNoCreatedAt},
	{`{"file_id":"a","file_state":{},"created_at":"2025-03-01T1:00:00Z"}`, DefectNoCreatedAt},
	{`{"file_id":"a","file_state":{},"created_at":"2025-03-01 12:00:00Z"}`, DefectNone},
	{`{"file_id":"a","file_state":{},"created_at":"2025-03-01T12:00:00.5"}`, DefectNone}, // no zone
	{`{"file_id":"a","file_state":{},"created_at":"2025-03-01T12:00:00.Z"}`, DefectNoCreatedAt},
	{`{"file_id":"a","file_state":{},"created_at":"2025-03-01T12:00:00,5Z"}`, DefectNoCreatedAt},
	{`{"file_id":"a","file_state":{},"created_at":"2025-03-01T12:00:00+25:00"}`, DefectNoCreatedAt},
}

func TestInspect(t *testing.T) {
	for _, c := range answers {
		testmust.Equal(t, FindDefect([]byte(c.body)), c.want, c.body)
		testmust.Equal(t, inspectSlowly([]byte(c.body)), c.want, c.body, "encoding/json finds")
	}
	for _, depth := range []int{60, 70, 9_990, 20_000} {
		body := strings.Replace(sound, "{}", strings.Repeat(`[`, depth)+strings.Repeat(`]`, depth), 1)
		body = strings.Replace(body, `"PROCESSING"`, strings.Repeat(`[`, depth)+strings.Repeat(`]`,
			depth), 1)
		if got, want := FindDefect([]byte(body)), inspectSlowly([]byte(body)); got != want {
			t.Errorf("nested %d deep: %v, encoding/json finds %v", depth, got, want)
		}
	}
}

// inspectSlowly implements FindDefect with encoding/json and the date-times of conform.
func inspectSlowly(body []byte) AnswerDefect {
	var object map[string]json.RawMessage
	if json.Unmarshal(body, &object) != nil || object == nil {
		return DefectNotObject
	}
	text := func(raw json.RawMessage) (string, bool) {
		var s *string
		if len(raw) == 0 || json.Unmarshal(raw, &s) != nil || s == nil {
			return "", false
		}
		return *s, true
	}
	if id, ok := text(object["file_id"]); !ok || id == "" {
		return DefectNoFileID
	}
	if state := bytes.TrimSpace(object["file_state"]); len(state) == 0 || state[0] != '{' {
		return DefectNoFileState
	}
	created, ok := text(object["created_at"])
	if !ok || !schema.KindDateTime.Fits(created) {
		return DefectNoCreatedAt
	}
	return DefectNone
}

func agree(t interface{ Fatalf(string, ...any) }, body []byte) {
	if found, slow := FindDefect(body), inspectSlowly(body); found != slow {
		t.Fatalf("%q: %v, encoding/json finds %v", body, found, slow)
	}
}

func FuzzInspect(f *testing.F) {
	for _, c := range answers {
		f.Add([]byte(c.body))
	}
	f.Fuzz(func(t *testing.T, body []byte) { agree(t, body) })
}

// TestItAgreesWithEncodingJSON breaks valid answers in the relevant places.
func TestItAgreesWithEncodingJSON(t *testing.T) {
	pieces := []string{
		`"`, `\`, `{`, `}`, `[`, `]`, `,`, `:`, `0`, `9`, `-`, `+`, `.`, `e`, `T`, `Z`, `null`, `true`,
		`\u00`, `\n`, "\n", " ", "\x00", "\xff", `"file_id"`, `"file_state":{}`, `:""`,
	}
	rapid.Check(t, func(t *rapid.T) {
		body := []byte(rapid.SampledFrom(answers).Draw(t, "answer").body)
		for range rapid.IntRange(0, 4).Draw(t, "edits") {
			at := rapid.IntRange(0, len(body)).Draw(t, "at")
			until := min(len(body), at+rapid.IntRange(0, 3).Draw(t, "cut"))
			body = slices.Concat(body[:at], []byte(rapid.SampledFrom(pieces).Draw(t, "piece")),
				body[until:])
		}
		agree(t, body)
	})
}

func TestFileID(t *testing.T) {
	if id, ok := FileID([]byte(`{"file_id":"\u00e9"}`)); id != "é" || !ok {
		t.Errorf("%q %v", id, ok)
	}
	for _, body := range []string{
		``, `{}`, `{"file_id":""}`, `{"file_id":null}`, `{"file_id":1}`, `[]`,
	} {
		if id, ok := FileID([]byte(body)); ok {
			t.Errorf("%s has the file ID %q", body, id)
		}
	}
}
