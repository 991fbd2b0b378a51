package export_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/suitetest"
	"github.com/gateassay/gateassay/suites/target"
)

var fileID = regexp.MustCompile(`"file_id":"([^"]+)"`)

// confused is a gateway that takes some of the main user's exports for the other user's, or rewrites their files.
type confused struct {
	when    func(h http.Header, ownWallet bool) bool
	rewrite func(n int, text string) string // nil: exports are the other user's

	mu                 sync.Mutex
	main, other, yaml  string
	files, downloading map[string]bool
}

func (c *confused) judge(t *testing.T, edit func(string) string) suitetest.Outcome {
	t.Helper()
	c.files, c.downloading = map[string]bool{}, map[string]bool{}
	return judgeBehind(t, reference.Options{Choices: reference.Choices{Retrieval: reference.Direct}}, c.wrap,
		func(yaml string) string {
			token := regexp.MustCompile(
				`(?:platform_token: |other_user:\n    bearer: )"([^"]+)"`).FindAllStringSubmatch(
				yaml, 2)
			c.main, c.other, c.yaml = "Bearer "+token[0][1], "Bearer "+token[1][1], yaml
			if edit != nil {
				return edit(yaml)
			}
			return yaml
		})
}

func (c *confused) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		wallet := r.Header.Get("x-wallet-uuid")
		own := wallet == "" || strings.Contains(c.yaml, `_wallet_id: "`+wallet)
		key := r.Header.Get("x-api-key")
		mine := r.Header.Get("Authorization") == c.main || key != "" && strings.Contains(c.yaml, `  api_key: "`+key)
		taken := mine && (c.files[path.Base(r.URL.Path)] || r.Method == http.MethodPost && c.when(r.Header, own))
		c.mu.Unlock()
		if taken && c.rewrite == nil {
			r.Header.Set("Authorization", c.other)
			r.Header.Del("x-api-key")
			r.Header.Del("x-product-uuid")
			r.Header.Del("x-product-target-user-uuid")
		}
		answer := httptest.NewRecorder()
		next.ServeHTTP(answer, r)
		if id := fileID.FindSubmatch(answer.Body.Bytes()); taken && id != nil {
			c.mu.Lock()
			c.files[string(id[1])] = true
			c.mu.Unlock()
		}
		if taken && c.rewrite != nil && strings.HasPrefix(answer.Header().Get("Content-Type"), "text/csv") {
			suitetest.Forward(w, answer, []byte(c.rewrite(0, answer.Body.String())))
			return
		}
		suitetest.Forward(w, answer, nil)
	})
}

func valid(h http.Header, name string) bool {
	id, err := uuid.Parse(h.Get(name))
	return err == nil && id.Version() == 4
}

func product(h http.Header, _ bool) bool {
	return valid(h, "x-product-uuid") && h.Get("x-product-target-user-uuid") == ""
}

// What gives a caller another legal person's quotes fails the rules that it breaks, and no other.
func TestQuotesOfSomebodyElse(t *testing.T) {
	for rules, c := range map[string]*confused{
		"export.wallet.foreign": {when: func(h http.Header, own bool) bool {
			return !own && valid(h, "x-wallet-uuid")
		}},
		"export.target.rows": {when: func(h http.Header, _ bool) bool {
			return valid(h, "x-product-uuid") && valid(h, "x-product-target-user-uuid")
		}},
		"export.target.own_rows export.isolation": {when: product},
		"export.header.default_product": {when: product, rewrite: cells(t, func(row []string) []string {
			if row[0] < "8" { // of the IDs about half
				return nil
			}
			return row
		})},
	} {
		t.Run(rules, func(t *testing.T) {
			t.Parallel()
			j := c.judge(t, nil)
			failOnly(t, j, strings.Fields(rules)...)
		})
	}
}

// A product whose quotes are all others than those without a product may not be the default one.
func TestAProductThatMayNotBeTheDefault(t *testing.T) {
	t.Parallel()
	c := &confused{when: product, rewrite: cells(t, func(row []string) []string {
		if row[0] != "id" {
			row[0] = "of-a-product-" + row[0]
		}
		return row
	})}
	j := c.judge(t, nil)
	j.None(t, record.Fail, record.Inconclusive)
	if text := j.Explain(record.NotVerified); !strings.Contains(text, "may not be the default product") ||
		strings.Count(text, "\n") != 2 { // one in each row
		t.Error(text)
	}
}

// Where the file shows no wallets, our own wallet is still tried by the other user; without either, nothing can be.
func TestWalletsThatNoFileShows(t *testing.T) {
	blank := cells(t, func(row []string) []string {
		if row[0] != "id" {
			row[2] = "main"
		}
		return row
	})
	j := judgeRewritten(t, reference.Options{}, blank, nil)
	j.None(t, record.Fail, record.Inconclusive, record.NotVerified)
	j = judgeRewritten(t, reference.Options{}, blank, func(yaml string) string {
		return regexp.MustCompile(`  default_wallet_id: .*\n`).ReplaceAllString(yaml, "")
	})
	text := j.Explain(record.NotVerified)
	if got := j.Verdicts()["export.wallet.foreign"]; got != record.NotVerified ||
		!strings.Contains(text, "export.csv.columns.wallet_id") {
		t.Errorf("%s%s", got, text)
	}
}

// Users of one legal person may see the same quotes. Where no wallet shows whose they are, nothing is judged.
func TestATargetUserWhoSeesTheSameQuotes(t *testing.T) {
	t.Parallel()
	same := reference.Options{Faults: []string{"export.target.rows_of_both"}}
	j := judgeRewritten(t, same, cells(t, func(row []string) []string {
		if row[0] != "id" {
			row[2] = ""
		}
		return row
	}), nil)
	j.None(t, record.Fail, record.Inconclusive)
	for _, rule := range []string{"export.target.rows", "export.target.own_rows"} {
		if got := j.Verdicts()[rule]; got != record.NotVerified {
			t.Errorf("%s is %s", rule, got)
		}
	}
}

// Headlines say what is known of wrong rows: whose they are, and that they have no date.
func TestHeadlinesSayWhatIsKnownOfWrongRows(t *testing.T) {
	asTheCaller := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			if bytes.Contains(body, []byte(`"settled_date"`)) {
				r.Header.Del(target.HeaderTarget)
			}
			next.ServeHTTP(w, r)
		})
	}
	for says, j := range map[string]suitetest.Outcome{
		"rows of the caller instead": judgeBehind(t, reference.Options{}, asTheCaller, nil),
		"10 rows too many, the first without settled_date": judge(t, reference.Options{
			Faults: []string{"export.range.undated_kept_before"},
		}, nil),
	} {
		text := j.Explain(record.Fail)
		if !strings.Contains(text, says) {
			t.Errorf("expected %q in\n%s", says, text)
		}
	}
}
