package cmd

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/internal/testmust"
)

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
