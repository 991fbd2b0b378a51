package spec

import (
	"strings"
	"testing"
)

func TestHeadlinesThatAreTooLong(t *testing.T) {
	long := "Export filtered by the client: 10 rows of another client, the first dated 2025-01-31T23:59:59.999Z"
	subject := "Request with nonce&x-transaction-uuid that repeats everything after requests with other identifiers"
	for name, c := range map[string]struct{ got, want string }{
		"what was expected gives way": {
			Sentence(subject, " is not blocked: 200, expected a 4xx"), subject + " is not blocked: 200",
		},
		"what was found stays": {
			Sentence(strings.Repeat("many words ", 20), " accepted: 201, expected 400"),
			strings.Repeat("many words ", 9) + "many… accepted: 201",
		},
		"a condition takes nothing away": {
			beside(long, "only with x-lang en-US"),
			long + ", only with x-lang en-US",
		},
		"of a long condition, the first partner stays": {
			beside(subject+" is not blocked: 200, expected a 4xx",
				"only with the qualification ADMINISTRATOR, a document issued in the USA"),
			subject + " is not blocked: 200, only with the qualification ADMINISTRATOR and more",
		},
		"a short one stays as it is": {
			beside("Creation accepted: 201, expected 400", "only with pep true"),
			"Creation accepted: 201, expected 400, only with pep true",
		},
		"a text says what was sent": {
			about("rejects a creation with no email, beside a product"), "Creation without email beside a product",
		},
		"its company is the condition's": {
			about("accepts a creation with patrimony 0, whatever else is sent"), "Creation with patrimony 0",
		},
	} {
		if c.got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, c.got, c.want)
		}
		if n := len([]rune(c.got)); n > HeadlineLimit && !strings.Contains(c.got, ", only ") || n > ConditionedLimit {
			t.Errorf("%s: %d characters", name, n)
		}
	}
}
