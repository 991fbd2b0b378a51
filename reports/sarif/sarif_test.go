package sarif

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/recordtest"
)

// official returns the schema of OASIS, a constant of go-sarif.
func official(t *testing.T) *jsonschema.Schema {
	t.Helper()
	dir := testmust.Get(exec.Command("go", "list", "-f", "{{.Dir}}",
		reflect.TypeFor[sarif.Report]().PkgPath()).Output())(t)
	file := filepath.Join(strings.TrimSpace(string(dir)), "schema.go")
	source := testmust.Get(parser.ParseFile(token.NewFileSet(), file, nil, 0))(t)
	constant := source.Scope.Lookup("schema").Decl.(*ast.ValueSpec).Values[0].(*ast.BasicLit)
	text := testmust.Get(strconv.Unquote(constant.Value))(t)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	testmust.Succeed(t,
		c.AddResource("sarif.json", testmust.Get(jsonschema.UnmarshalJSON(strings.NewReader(text)))(t)))
	return testmust.Get(c.Compile("sarif.json"))(t)
}

// written returns a run as SARIF that conforms to a schema.
func written(t *testing.T, schema *jsonschema.Schema, r record.Run) *sarif.Run {
	t.Helper()
	data := testmust.Get(Render(r))(t)
	testmust.Succeed(t,
		schema.Validate(testmust.Get(jsonschema.UnmarshalJSON(bytes.NewReader(data)))(t)))
	return testmust.Get(sarif.FromBytes(data))(t).Runs[0]
}

func TestEachFailedRuleIsOneResult(t *testing.T) {
	sample := recordtest.SampleRun()
	got, want := written(t, official(t), sample), map[string]string{}
	for _, r := range sample.Rules {
		switch r.DisplayVerdict() {
		case record.VerdictFail, record.VerdictWaived:
			want[r.ID] = "error"
		case record.VerdictWarning:
			want[r.ID] = "warning"
		}
	}
	if len(want) < 3 || len(got.Results) != len(want) ||
		len(got.Tool.Driver.Rules) != len(sample.Rules) {
		t.Fatalf("%d results of %d rules, expected %d", len(got.Results), len(got.Tool.Driver.Rules),
			len(want))
	}
	for _, r := range got.Results {
		rule, text := sample.Rules[r.RuleIndex], *r.Message.Text
		if *r.RuleID != rule.ID || r.Level != want[rule.ID] && rule.Waiver == nil ||
			(rule.Waiver != nil) != (r.Suppressions != nil) {
			t.Errorf("%+v", r)
		}
		check, _ := record.DecisiveCheck(rule)
		for _, part := range []string{record.Headline(
			rule), check.Expected, check.Actual, check.Sent, "--rule " + rule.ID} {
			part = strings.ReplaceAll(printable.CleanLines(strings.TrimSpace(part)), "](", "] (")
			testmust.Contain(t, text, part, rule.ID)
		}
		security := slices.Contains(got.Tool.Driver.Rules[r.RuleIndex].Properties.Tags, "security")
		if security != rule.Security || *r.Locations[0].PhysicalLocation.ArtifactLocation.URI == "" {
			t.Errorf("%s: security %v, at %+v", rule.ID, security, r.Locations)
		}
	}
}

func TestARunWithoutAVerdictIsNotSuccessful(t *testing.T) {
	schema := official(t)
	if got := written(t, schema, recordtest.CleanRun()); !*got.Invocations[0].ExecutionSuccessful ||
		len(got.Results) != 0 {
		t.Errorf("clean: %+v, %d results", got.Invocations, len(got.Results))
	}
	got := written(t, schema, recordtest.UnreachableRun(3)).Invocations[0]
	if *got.ExecutionSuccessful || len(got.ToolExecutionNotifications) != 1 ||
		*got.ToolExecutionNotifications[0].Message.Text == "" {
		t.Errorf("%+v", got)
	}
	hostile := record.Run{
		Run: record.RunInfo{Deployment: "\x00\x1b[2J", BaseURL: "http://[", File: "a b/\xff%.yaml"},
		Rules: []record.RuleResult{{
			ID: "\x1b", Level: "must", Verdict: record.VerdictFail,
			Statement: strings.Repeat("x",
				99_999),
		}},
	}
	if text := *written(t, schema, hostile).Results[0].Message.Text; strings.Contains(text, "\x1b") {
		t.Errorf("%q", text)
	}
}
