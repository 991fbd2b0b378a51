package junit_test

import (
	"bytes"
	"encoding/xml"
	"flag"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/reports/junit"
	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/reports/record/recordtest"
)

var update = flag.Bool("update", false, "write the golden files")

func write(t *testing.T, run record.Run) []byte {
	t.Helper()
	data, err := junit.Write(run)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestGolden(t *testing.T) {
	recordtest.Golden(t, *update, "junit.xml", write(t, recordtest.Run()))
}

// node is an element with what the schemas constrain.
type node struct {
	name     string
	attrs    map[string]string
	children []*node
}

func parse(t *testing.T, data []byte) *node {
	t.Helper()
	root := &node{}
	stack := []*node{root}
	dec := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := dec.Token()
		if err == io.EOF {
			return root.children[0]
		}
		if err != nil {
			t.Fatalf("not XML: %v", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			n := &node{name: e.Name.Local, attrs: map[string]string{}}
			for _, a := range e.Attr {
				n.attrs[a.Name.Local] = a.Value
			}
			top := stack[len(stack)-1]
			top.children = append(top.children, n)
			stack = append(stack, n)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
}

// What junit-10.xsd of Jenkins' xUnit plugin and Ant's JUnit.xsd both allow: for each element its attributes (all of
// them required) with their form, and its children in order.
var (
	text     = regexp.MustCompile(`(?s)^.*$`)
	name     = regexp.MustCompile(`^\S+( \S+)*$`)
	number   = regexp.MustCompile(`^[0-9]+$`)
	seconds  = regexp.MustCompile(`^[0-9]+\.[0-9]{3}$`)
	datetime = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$`)
)

var schema = map[string]struct {
	attrs    map[string]*regexp.Regexp
	children string // names of the children in order, each followed by a space
}{
	"testsuites": {nil, `^(testsuite )*$`},
	"testsuite": {map[string]*regexp.Regexp{
		"name": name, "package": name, "id": number, "hostname": name, "timestamp": datetime,
		"tests": number, "failures": number, "errors": number, "skipped": number, "time": seconds,
	}, `^properties (testcase )*system-out system-err $`},
	"properties": {nil, `^(property )*$`},
	"property":   {map[string]*regexp.Regexp{"name": name, "value": text}, `^$`},
	"testcase":   {map[string]*regexp.Regexp{"name": name, "classname": name, "time": seconds}, `^(failure |error |skipped )?$`},
	"failure":    {map[string]*regexp.Regexp{"message": text, "type": name}, `^$`},
	"error":      {map[string]*regexp.Regexp{"message": text, "type": name}, `^$`},
	"skipped":    {map[string]*regexp.Regexp{"message": text, "type": name}, `^$`},
	"system-out": {nil, `^$`},
	"system-err": {nil, `^$`},
}

func validate(t *testing.T, n *node) {
	t.Helper()
	rule, known := schema[n.name]
	if !known {
		t.Fatalf("<%s> is no element of the schema", n.name)
	}
	for a, value := range n.attrs {
		if form := rule.attrs[a]; form == nil || !form.MatchString(value) {
			t.Errorf("<%s %s=%q> is not allowed", n.name, a, value)
		}
	}
	if len(n.attrs) != len(rule.attrs) {
		t.Errorf("<%s> has attributes %v", n.name, n.attrs)
	}
	var order strings.Builder
	counted := map[string]int{}
	for _, c := range n.children {
		order.WriteString(c.name + " ")
		validate(t, c)
		if n.name == "testsuite" && c.name == "testcase" {
			counted["testcase"]++
			for _, r := range c.children {
				counted[r.name]++
			}
		}
	}
	if !regexp.MustCompile(rule.children).MatchString(order.String()) {
		t.Errorf("<%s> holds %s", n.name, order.String())
	}
	if n.name == "testsuite" {
		for attr, kind := range map[string]string{"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"} {
			if n.attrs[attr] != strconv.Itoa(counted[kind]) {
				t.Errorf("suite %s: %s=%s, holds %d", n.attrs["name"], attr, n.attrs[attr], counted[kind])
			}
		}
	}
}

func TestTheDocumentKeepsToTheSchemas(t *testing.T) {
	hostile := record.Run{Rules: []record.Rule{{ID: "", Verdict: record.Fail}, {ID: recordtest.Hostile, Verdict: "odd", Level: "\x00"}, {ID: "  a  b ", Verdict: record.Waived}}}
	for name, run := range map[string]record.Run{
		"rich": recordtest.Run(), "clean": recordtest.Clean(), "unreachable": recordtest.Unreachable(212),
		"large": recordtest.Large(20, 50_000), "hostile": hostile, "empty": {},
	} {
		t.Run(name, func(t *testing.T) { validate(t, parse(t, write(t, run))) })
	}
}

func TestCountsAreThoseOfTheRun(t *testing.T) {
	run := recordtest.Run()
	total := record.Counts{}
	for _, s := range parse(t, write(t, run)).children {
		n := func(attr string) int { v, _ := strconv.Atoi(s.attrs[attr]); return v }
		total.Fail += n("failures")
		total.Inconclusive += n("errors")
		total.NotVerified += n("skipped") // and waived, and observed
		total.Pass += n("tests") - n("failures") - n("errors") - n("skipped")
	}
	c := run.Counts
	if want := (record.Counts{Fail: c.Fail, Inconclusive: c.Inconclusive, NotVerified: c.NotVerified + c.Waived + c.Observed, Pass: c.Pass}); total != want {
		t.Fatalf("%+v, want %+v", total, want)
	}
}

func TestEachRuleIsOneTestCase(t *testing.T) {
	run := recordtest.Run()
	cases := map[string]int{}
	for _, s := range parse(t, write(t, run)).children {
		for _, c := range s.children {
			if c.name == "testcase" {
				cases[c.attrs["name"]]++
			}
		}
	}
	for _, r := range run.Rules {
		if cases[r.ID] != 1 {
			t.Errorf("%s is %d test cases", r.ID, cases[r.ID])
		}
	}
	if len(cases) != len(run.Rules) {
		t.Errorf("%d test cases for %d rules", len(cases), len(run.Rules))
	}
}

func TestOnlyCharactersThatXMLAllows(t *testing.T) {
	data := write(t, recordtest.Large(2, 5_000))
	illegal := func(r rune) bool { return r < 0x20 && r != '\n' && r != '\t' || r == 0xFFFE || r == 0xFFFF }
	if i := bytes.IndexFunc(data, illegal); i >= 0 {
		t.Fatalf("byte %d: %q", i, data[i:i+10])
	}
	if i := slices.Index(data, 0x1b); i >= 0 {
		t.Fatal("an escape character came through")
	}
}
