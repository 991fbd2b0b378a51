package exactjson_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/gateassay/gateassay/internal/exactjson"
	"github.com/gateassay/gateassay/internal/testmust"
)

func TestValuesAreFoundAsWritten(t *testing.T) {
	doc, ok := exactjson.Decode([]byte(`{"a/b":{"~":[1.50,null]}} `))
	if !ok {
		t.Fatal("one value was not read")
	}
	if got, found := exactjson.LookupPointer(doc, "/a~1b/~0/0"); !found || got != json.Number("1.50") {
		t.Errorf("%v, %v", got, found)
	}
	if got, found := exactjson.LookupPointer(doc, "/a~1b/~0/1"); !found || got != nil {
		t.Errorf("%v, %v", got, found)
	}
	if got, found := exactjson.LookupPath(doc, "a/b.~"); !found || fmt.Sprint(got) != "[1.50 <nil>]" {
		t.Errorf("%v, %v", got, found)
	}
	if got, found := exactjson.LookupPath(doc, "a/b.~.0"); found || got != nil {
		t.Errorf("in an array: %v", got)
	}
	for _, pointer := range []string{"/a", "/a~1b/~0/2", "/a~1b/~0/-", "/a~1b/~0/0/x"} {
		if got, found := exactjson.LookupPointer(doc, pointer); found || got != nil {
			t.Errorf("%s: %v", pointer, got)
		}
	}
	if whole, found := exactjson.LookupPointer(doc, ""); !found || fmt.Sprint(whole) != fmt.Sprint(doc) {
		t.Errorf("the whole: %v", whole)
	}
}

func TestSeveralValuesAreNotOne(t *testing.T) {
	const text = `{"a":1} 2.0 [} `
	if value, ok := exactjson.Decode([]byte(text)); ok {
		t.Errorf("one: %v", value)
	}
	testmust.Equal(t, fmt.Sprint(exactjson.DecodeAll([]byte(text))), "[map[a:1] 2.0]", "all")
}

func TestTextsAreQuotedForPeople(t *testing.T) {
	testmust.Equal(t, exactjson.Quote("<a>&\"\xff"), "\"<a>&\\\"\ufffd\"")
}
