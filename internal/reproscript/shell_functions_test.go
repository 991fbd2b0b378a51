package reproscript

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
	jwt "github.com/gateassay/gateassay/internal/token"
)

func TestScriptsSignAsForgersDo(t *testing.T) {
	const own = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1c2VyLTEifQ.c2lnbmVk"
	for _, f := range []jwt.Forger{
		{Algorithm: "HS256"},
		{Algorithm: "HS256", Key: jwt.GuessedKey},
		{Algorithm: "HS384", Key: jwt.UnknownKey},
		{Algorithm: "HS512", Key: jwt.UnknownKey, KeyID: "../../dev/null"},
	} {
		want := testmust.Get(f.Sign(own))(t)
		if by, forged := jwt.ForgerOf(want); !forged || by.Key != f.Key || by.Algorithm != f.Algorithm {
			t.Errorf("%+v is taken for %+v", f, by)
		}
		command := exec.Command("bash", "-c", usedFunctions("sign_token")+`sign_token "$@"`, "bash",
			strings.TrimPrefix(f.Algorithm, "HS"), f.Key, want[:strings.LastIndexByte(want, '.')])
		if got := string(testmust.Get(command.CombinedOutput())(t)); got != want {
			t.Errorf("%+v: %s, expected %s", f, got, want)
		}
	}
	if _, forged := jwt.ForgerOf(own); forged {
		t.Error("the platform's own token is taken for a forged one")
	}
}
