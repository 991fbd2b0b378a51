package cmd

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/load/plan"
)

// pages returns the paths of the pages that users read.
func pages(t *testing.T) []string {
	t.Helper()
	docs, err := filepath.Glob(filepath.Join("..", "docs", "*.md"))
	if err != nil || len(docs) < 9 {
		t.Fatalf("%d pages, %v", len(docs), err)
	}
	return append(docs, filepath.Join("..", "README.md"), filepath.Join("..", "CONTRIBUTING.md"))
}

var (
	// shown matches the code on a page: fenced, indented or inline.
	shown = regexp.MustCompile("(?s:```[a-z]*\\n.*?```)|(?m:^    .*$)|`[^`\\n]+`")
	// command matches a command line up to its end in YAML, Groovy, Markdown or a shell.
	command = regexp.MustCompile(
		"(?m)(?:^|[ '\"`(/])gateassay " +
			"((?:conform|load|kubernetes|report|serve|doctor|rules|deployment|prove|version|completion)(?: [^\n`#|>;&]*)?)",
	)
)

func TestCommandsOfTheDocumentationAreUnderstood(t *testing.T) {
	found := 0
	for _, path := range pages(t) {
		page := testmust.Get(os.ReadFile(path))(t)
		for _, text := range shown.FindAllString(string(page), -1) {
			for _, line := range command.FindAllStringSubmatch(strings.ReplaceAll(text, "\\\n", " "), -1) {
				if strings.Contains(text, line[0]+"\ngateassay: ") {
					continue // a transcript of a refused command
				}
				if err := understood(line[1]); err != nil {
					t.Errorf("%s: gateassay %s: %v", filepath.Base(path), line[1], err)
				}
				found++
			}
		}
	}
	if found < 60 {
		t.Errorf("%d commands were found", found)
	}
}

// understood parses a command line as the program does. A … stands for omitted flags, brackets for
// optional ones.
func understood(text string) error {
	text, _, _ = strings.Cut(text, "//")
	words := strings.Fields(strings.NewReplacer("'", "", `"`, "", "\\", "", "…", "", "[", "", "]",
		"").Replace(text))
	c, rest, err := rootCommand(Extensions{}).Find(words)
	if err == nil {
		err = c.ParseFlags(rest)
	}
	if errors.Is(err, pflag.ErrHelp) {
		return nil
	}
	if err == nil && !(c.HasSubCommands() && len(c.Flags().Args()) == 0) &&
		c.Flags().NFlag()+len(c.Flags().Args()) > 0 {
		err = c.ValidateArgs(c.Flags().Args()) // without arguments it only names the command
	}
	return err
}

// TestPagesLeadToEachOther follows every link and requires a path from the README to every page.
func TestPagesLeadToEachOther(t *testing.T) {
	links := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	reached := map[string]bool{}
	var follow func(path string)
	follow = func(path string) {
		if reached[path] = true; filepath.Ext(path) != ".md" {
			return
		}
		page, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			return
		}
		for _, link := range links.FindAllStringSubmatch(string(page), -1) {
			to := filepath.Join(filepath.Dir(path), link[1])
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %v", path, err)
			} else if !reached[to] {
				follow(to)
			}
		}
	}
	follow(filepath.Join("..", "README.md"))
	for _, path := range pages(t) {
		if !reached[path] {
			t.Errorf("no link leads to %s", path)
		}
	}
}

// TestYAMLOfTheDocumentationCanBeUsed parses plans as load run does, and pipelines as YAML.
func TestYAMLOfTheDocumentationCanBeUsed(t *testing.T) {
	for name, c := range map[string]struct {
		blocks int
		read   func([]byte) error
	}{
		"load.md": {
			1, func(block []byte) error { _, err := plan.Parse("docs/load.md", block); return err },
		},
		"ci.md": {6, func(block []byte) error { return yaml.Unmarshal(block, new(any)) }},
	} {
		page := testmust.Get(os.ReadFile(filepath.Join("..", "docs", name)))(t)
		blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllSubmatch(page, -1)
		testmust.Equal(t, len(blocks), c.blocks, name, "blocks")
		for _, block := range blocks {
			if err := c.read(block[1]); err != nil {
				t.Errorf("%s: %v in\n%s", name, err, block[1])
			}
		}
	}
}
