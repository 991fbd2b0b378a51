package redact

import (
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
)

func TestWhatAnErrorQuotesOfAnAnswerIsLeftOut(t *testing.T) {
	for text, want := range map[string]string{
		`malformed HTTP response "1\",\"street\":\"Rua das Flores"`:      `malformed HTTP response "…"`,
		`malformed MIME header line: +5511987654321`:                     `malformed MIME header line: …`,
		`Unsolicited response received starting with "ab\"c"; err=<nil>`: `Unsolicited response received starting with "…"; err=<nil>`,
		`malformed HTTP status code "11 98765-43`:                        `malformed HTTP status code "…"`,
		`read tcp 127.0.0.1:80: connection reset by peer`:                `read tcp 127.0.0.1:80: connection reset by peer`,
	} {
		testmust.Equal(t, RemoveQuotations(text), want, text)
	}
}
