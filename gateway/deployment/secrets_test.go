package deployment

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/strictyaml"
)

const head = "name: a\nbase_url: http://h\n"

// Each document is refused; none of the messages may hold the word SECRET.
func TestProblemsNeverShowASecret(t *testing.T) {
	long := strings.Repeat("SECRET-", 60)
	env := environment(map[string]string{"LONG": long, "TOKEN": "SECRET value", "OTHER": "SECRETSECRET", "EMPTY": ""})
	for name, text := range map[string]string{
		"white space":          head + "credentials: {platform_token: SECRET token}\n",
		"bearer word":          head + "credentials: {platform_token: Bearer SECRET}\n",
		"beside a problem":     head + "credentials: {platform_token: SECRET, api_key: 12}\n",
		"before a problem":     head + "credentials: {api_key: [], platform_token: SECRET}\n",
		"number":               head + "credentials: {api_key: 00SECRET, platform_token: 3}\n",
		"from a variable":      head + "credentials: {platform_token: \"${TOKEN}\"}\n",
		"in a comment":         head + "credentials:\n  platform_token: ${TOKEN} # was SECRET\n",
		"beside a reference":   head + "credentials: {platform_token: \"${TOKEN}SECRET\"}\n",
		"misspelt key":         head + "credentials:\n  platform_tokn: SECRET\n",
		"key elsewhere":        head + "platform_token: SECRET\n",
		"misspelt section":     head + "credentails: {platform_token: SECRET}\n",
		"second section":       head + "credentials: {api_key: k}\ncredentials: {platform_token: SECRET}\n",
		"duplicate":            head + "credentials:\n  api_key: a\n  api_key: SECRET\n",
		"missing space":        head + "credentials: {platform_token:SECRET}\n",
		"missing space, block": head + "credentials:\n  platform_token:SECRET\n",
		"missing space, top":   "{name: a, platform_token:SECRET}\n",
		"only a secret":        "SECRET\n",
		"a set":                head + "credentials: {SECRET}\n",
		"a list":               head + "credentials: [SECRET]\n",
		"a text":               head + "credentials: SECRET\n",
		"both methods":         head + "credentials: {other_user: {bearer: SECRET, api_key: SECRET}}\n",
		"unknown method":       head + "credentials: {other_user: {basic: SECRET}}\n",
		"method missing space": head + "credentials: {other_user: {bearer:SECRET}}\n",
		"several lines": head +
			"credentials:\n  api_key: |\n    SECRET one\n    SECRET two\n  platform_token: \"SECRET\n    SECRET\"\n",
		"tagged":                   head + "credentials: {api_key: !SECRET x}\n",
		"anchor":                   head + "credentials: {api_key: *SECRET}\n",
		"shared by an anchor":      head + "credentials: {api_key: &s SECRETSECRET}\nlimits: {in_flight: *s}\n",
		"unclosed quote":           head + "credentials:\n  api_key: \"SECRET\n",
		"unclosed quote elsewhere": head + "fixtures: {client_id: \"x}\ncredentials:\n  api_key: SECRET\n",
		"bad escape":               head + "credentials:\n  api_key: \"SECRET\\q\"\n",
		"bad mapping":              head + "credentials:\n  other_user: bearer: SECRET\n",
		"bad indentation":          head + "credentials:\n    api_key: a\n  platform_token: SECRET\n",
		"in the address":           "name: a\nbase_url: http://user:SECRET@h\ncredentials: {api_key: k}\n",
		"address from a variable":  "name: a\nbase_url: ${OTHER}\ncredentials: {api_key: k}\n",
		"used twice": head +
			"credentials: {api_key: \"${OTHER}\"}\nfixtures: {product_id: SECRETSECRET}\n",
		"header of the retrieval": head +
			"credentials: {api_key: k}\nexport: {file: {request: x, headers: {Authorization: Bearer SECRET}}}\n",
		"header as a list": head +
			"credentials: {api_key: k}\nexport: {file: {request: x, headers: {x-api-key: [SECRET]}}}\n",
		"used twice, long": head + "credentials: {api_key: \"" + long + "\"}\nfixtures: {product_id: " + long +
			"}\n",
		"used before, long": head + "fixtures: {product_id: " + long +
			"}\ncredentials: {api_key: \"${LONG}\"}\n",
		"other line breaks":   "name: 3\rbase_url: http://h\u2028credentials:\u0085  api_key: []\r\n  platform_token: SECRET\u2029  other_user: SECRET token\n",
		"two documents":       head + "credentials: {api_key: SECRET}\n---\napi_key: SECRET\n",
		"a number's variable": head + "credentials: {api_key: k}\nlimits: {timeout: \"${OTHER}\"}\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("t.yaml", "testdata", []byte(text), env)
			if err == nil {
				t.Fatal("accepted")
			}
			if shown := fmt.Sprintf("%v %+v", err, err.(*strictyaml.Problems).All); strings.Contains(shown, "SECRET") {
				t.Errorf("shown:\n%s", shown)
			}
		})
	}
}

func TestEmptyVariableOfACredential(t *testing.T) {
	env := environment(map[string]string{"EMPTY": ""})
	text := head + "credentials:\n  platform_token: ${EMPTY}\n  api_key: k\n"
	_, err := Parse("t.yaml", "testdata", []byte(text), env)
	if err == nil || !strings.Contains(err.Error(), "EMPTY is empty") {
		t.Fatalf("got %v", err)
	}
	if !strings.Contains(err.Error(), "platform_token: ${EMPTY}") {
		t.Errorf("a reference gives no secret away and should be seen:\n%v", err)
	}
}
