package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// command is a command line within a page, up to what ends it in YAML, Groovy and Markdown.
var command = regexp.MustCompile("(?m)(?:^|[ '\"`(/])gateassay ((?:conform|load|report) [^\n`#]*)")

func TestCommandsOfTheDocumentationAreUnderstood(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "ci.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, line := range command.FindAllStringSubmatch(string(page), -1) {
		text, _, _ := strings.Cut(line[1], "//")
		words := strings.Fields(strings.NewReplacer("'", "", `"`, "").Replace(text))
		c, rest, err := rootCommand().Find(words)
		if err == nil {
			err = c.ParseFlags(rest)
		}
		if err == nil && c.HasSubCommands() {
			err = c.ValidateArgs(rest)
		}
		if err == nil {
			err = c.ValidateArgs(c.Flags().Args())
		}
		if err != nil {
			t.Errorf("gateassay %s: %v", text, err)
		}
		found++
	}
	if found < 10 {
		t.Errorf("%d commands were found", found)
	}
}

func TestPipelinesOfTheDocumentationAreYAML(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "ci.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(blocks) != 3 {
		t.Errorf("%d pipelines", len(blocks))
	}
	for _, block := range blocks {
		var any map[string]any
		if err := yaml.Unmarshal([]byte(block[1]), &any); err != nil {
			t.Errorf("%v in\n%s", err, block[1])
		}
	}
}
