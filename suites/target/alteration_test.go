package target

import (
	"encoding/base64"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/curl"
)

// made is what a shell makes of an alteration, as it stands in the command of a finding.
func made(t *testing.T, a *curl.Alteration, genuine string) string {
	t.Helper()
	sh := exec.Command("sh", "-c", a.Before+"\nprintf '%s' \""+a.Word+"\"")
	sh.Env = append(sh.Environ(), "GATEWAY_TOKEN="+genuine, "GATEWAY_API_KEY="+genuine)
	out, err := sh.Output()
	if err != nil {
		t.Fatalf("%s: %v", a.Says, err)
	}
	return string(out)
}

// The commands that repeat a finding alter a credential as the check did.
func TestAShellAltersCredentialsAsTheChecksDo(t *testing.T) {
	encode := base64.RawURLEncoding.EncodeToString
	for _, payload := range []string{`{"sub":"a"}`, `{"sub":"ab"}`, `{"sub":"ço>>>???abc"}`} {
		signature := strings.Repeat("\xfb\xef\x01", 10) + "\x02\x03"
		parts := []string{
			encode([]byte(`{"alg":"RS256","typ":"JWT"}`)), encode([]byte(payload)),
			encode([]byte(signature)),
		}
		genuine := strings.Join(parts, ".")
		for _, c := range []struct {
			how                     *curl.Alteration
			header, payload, ending func(text string) bool // what has to be true of the decoded parts; nil: as it was
		}{
			{how: PayloadChanged, payload: func(text string) bool {
				var claims map[string]any
				return json.Unmarshal([]byte(text), &claims) == nil && claims["admin"] == true && len(claims) == 2
			}},
			{how: SignatureChanged, ending: func(text string) bool {
				return text[0] != signature[0] && text[1:] == signature[1:] || text[0] != signature[0] &&
					len(text) == len(signature)
			}},
			{how: SignatureEndChanged, ending: func(text string) bool {
				last := len(signature) - 1
				return len(text) == len(signature) && text[last] != signature[last] &&
					text[:last-1] == signature[:last-1]
			}},
			{how: SignatureCaseChanged, ending: func(text string) bool {
				return text != signature &&
					len(text) == len(signature)
			}},
			{how: SignatureCut, ending: func(text string) bool {
				return len(text) < len(signature) && strings.HasPrefix(signature, text[:len(text)-1])
			}},
			{how: SignatureRemoved, ending: func(text string) bool { return text == "" }},
			{
				how: UnsignedAs("none"), header: func(text string) bool { return text == `{"alg":"none","typ":"JWT"}` },
				ending: func(text string) bool { return text == "" },
			},
			{
				how:    UnsignedWithSignature,
				header: func(text string) bool { return text == `{"alg":"none","typ":"JWT"}` },
				ending: func(text string) bool { return text == signature },
			},
			{
				how: Resigned, header: func(text string) bool { return text == `{"alg":"HS256","typ":"JWT"}` },
				ending: func(text string) bool { return len(text) == 32 },
			},
		} {
			got := strings.Split(made(t, c.how, genuine), ".")
			if len(got) != 3 {
				t.Errorf("%s: %q", c.how.Says, got)
				continue
			}
			for i, right := range []func(string) bool{c.header, c.payload, c.ending} {
				text, err := base64.RawURLEncoding.DecodeString(got[i])
				if right == nil && got[i] != parts[i] || right != nil &&
					(err != nil && c.how != SignatureCut || !right(string(text))) {
					t.Errorf("%s: part %d is %q (%q, %v)", c.how.Says, i, got[i], text, err)
				}
			}
		}
		if got := made(t, SignatureDotRemoved, genuine); got != parts[0]+"."+parts[1] {
			t.Errorf("without the dot: %q", got)
		}
	}
	for how, want := range map[*curl.Alteration]string{
		KeyCut: "Key-aB", KeyLonger: "Key-aBcx", KeyCaseChanged: "kEY-AbC",
		KeyStartChanged: "kEY-aBc", KeyMiddleChanged: "KeY-ABc",
	} {
		if got := made(t, how, "Key-aBc"); got != want {
			t.Errorf("%s: %q, want %q", how.Says, got, want)
		}
	}
	if got := strings.Split(made(t, MadeUpToken, ""), "."); len(got) != 3 || len(made(t, RandomToken, "")) != 40 {
		t.Errorf("made up: %q", got)
	}
}
