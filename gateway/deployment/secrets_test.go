package deployment

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/strictyaml"
	"github.com/gateassay/gateassay/internal/testmust"
)

const head = "name: a\nbase_url: http://h\n"

// TestProblemsNeverShowASecret checks the lines of secrets.txt: a document that is refused, or
// after + the rest of one. No problem may contain the word SECRET.
func TestProblemsNeverShowASecret(t *testing.T) {
	long := strings.Repeat("SECRET-", 60)
	env := environment(
		map[string]string{"LONG": long, "TOKEN": "SECRET value", "OTHER": "SECRETSECRET"})
	signs := strings.NewReplacer("⏎", "\n", "␍", "\r", "LONGTEXT", long)
	for line := range strings.Lines(string(testmust.Get(os.ReadFile("testdata/secrets.txt"))(t))) {
		text := signs.Replace(strings.TrimSuffix(line, "\n"))
		if rest, ok := strings.CutPrefix(text, "+"); ok {
			text = head + rest
		}
		_, err := Parse("t.yaml", "testdata", []byte(text), env)
		if err == nil {
			t.Errorf("accepted: %s", line)
		} else if shown := fmt.Sprintf("%v %+v",
			err, err.(*strictyaml.Problems).All); strings.Contains(shown, "SECRET") {
			t.Errorf("%s shows\n%s", line, shown)
		}
	}
}

func TestEmptyVariableOfACredential(t *testing.T) {
	_, err := Parse("t.yaml", "testdata",
		[]byte(head+"credentials:\n  platform_token: ${EMPTY}\n  api_key: k\n"),
		environment(map[string]string{"EMPTY": ""}))
	testmust.FailWith(t, err, "EMPTY is empty")
}
