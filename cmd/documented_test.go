package cmd

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v4"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
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

var update = flag.Bool("update", false, "write the transcripts of docs/first-steps.md again")

var transcript = regexp.MustCompile("(?s)```console\n\\$ (.*?)\n(.*?)```")

// TestFirstStepsAreAsTheyAreShown runs the commands of docs/first-steps.md and compares their
// output.
func TestFirstStepsAreAsTheyAreShown(t *testing.T) {
	t.Parallel()
	const page = "../docs/first-steps.md"
	text := testmust.Get(os.ReadFile(page))(t)
	gateway := testmust.Get(reference.Start(context.WithoutCancel(t.Context()), "127.0.0.1:0",
		reference.Options{Seed: 1}))(t)
	defer gateway.Close()
	dep := testmust.Get(deployment.Parse("reference", ".", gateway.Gateway.DeploymentYAML(gateway.URL),
		os.LookupEnv))(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"typo.yaml": "name: staging\nbaseurl: https://gateway.example\ncredentials: {platform_token: " +
			"\"${STAGING_TOKEN}\"}\n",
		"closed.yaml": "name: closed\nbase_url: http://127.0.0.1:9\ncredentials: {api_key: " +
			"not-a-real-key}\nload: {allow: true}\n",
	} {
		testmust.WriteFile(t, filepath.Join(dir, name), text)
	}
	shown := strings.NewReplacer(gateway.URL, "https://gateway.example", "127.0.0.1 is 127.0.0.1",
		"gateway.example is 192.0.2.10", `"127.0.0.1"`, `"gateway.example"`, "127.0.0.1 at",
		"gateway.example at")
	took := regexp.MustCompile(`\b(in|after) [0-9.]+ m?s\b`)
	ran := 0
	after := transcript.ReplaceAllFunc(text, func(block []byte) []byte {
		ran++
		parts := transcript.FindSubmatch(block)
		command := exec.Command("sh", "-c", string(parts[1]))
		command.Dir = dir
		command.Env = append(os.Environ(), "GATEWAY_URL="+gateway.URL,
			"GATEWAY_TOKEN="+dep.Credentials.PlatformToken.Value, "SHAREHOLDER="+dep.Fixtures.ShareholderID,
			"NO_COLOR=1")
		// the page itself prints exit codes where they matter
		out, _ := command.CombinedOutput()
		printed := took.ReplaceAllString(shown.Replace(string(out)), "$1 12 ms")
		return []byte("```console\n$ " + string(parts[1]) + "\n" + printed + "```")
	})
	if *update {
		testmust.Succeed(t, os.WriteFile(page, after, 0o600))
	}
	if ran < 5 {
		t.Errorf("%d commands are shown", ran)
	}
	counted := regexp.MustCompile(`\b[0-9]+ (of [0-9]+ )?(rules?|requests)\b`) // the catalogue grows
	text, after = counted.ReplaceAll(text, []byte("N $2")), counted.ReplaceAll(after, []byte("N $2"))
	lasts := regexp.MustCompile(`about [0-9]+ s at`)
	text = lasts.ReplaceAll(text, []byte("about N s at"))
	after = lasts.ReplaceAll(after, []byte("about N s at"))
	if !bytes.Equal(text, after) && !*update {
		a, b := strings.Split(string(text), "\n"), strings.Split(string(after), "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Fatalf(
					"docs/first-steps.md:%d: it shows\n%s\nand the command prints\n%s\n(go test ./cmd -run "+
						"TestFirstSteps -update writes it again)",
					i+1,
					a[i],
					b[i],
				)
			}
		}
		t.Fatal("docs/first-steps.md has another number of lines than what the commands print")
	}
}
