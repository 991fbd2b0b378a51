package proof

import (
	"encoding/json"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Pair is a rule, for one of the operations that it is about, and a partner that may stand beside its requests.
type Pair struct {
	Rule      string
	Operation client.Operation
	Partner   string
}

// sees is what shows a partner in a request of the reference gateway.
type sees struct {
	name string
	in   func(header func(string) string, body map[string]any) bool
}

func has(name, value string) func(header func(string) string, body map[string]any) bool {
	return func(header func(string) string, _ map[string]any) bool {
		got := header(name)
		return got != "" && (value == "" || got == value)
	}
}

func gives(field string, value any) func(header func(string) string, body map[string]any) bool {
	return func(_ func(string) string, body map[string]any) bool {
		got, there := body[field]
		if value == nil {
			return body != nil && !there
		}
		return there && got == value
	}
}

func partnersOf(op client.Operation) []sees {
	both := []sees{
		{"in_english", has("x-lang", "en-US")},
		{"in_portuguese", has("x-lang", "pt-BR")},
		{"by_api_key", has("x-api-key", "")},
		{"with_product", has("x-product-uuid", "")},
		{"on_behalf", has("x-product-target-user-uuid", "")},
	}
	if op == client.Create {
		return append(both, []sees{
			{"for_attorneys", gives("representor_type", "ATTORNEY")},
			{"for_administrators", gives("representor_type", "ADMINISTRATOR")},
			{"for_others", gives("representor_type", "OTHER")},
			{"for_exposed", gives("pep", true)},
			{"for_public_servers", gives("is_public_server", true)},
			{"without_end", gives("relationship_end_date", nil)},
		}...)
	}
	return append(both, []sees{
		{"with_wallet", has("x-wallet-uuid", "")},
		{"with_extension", gives("type_extension", "CSV")},
		{"filtered", gives("filter_type", "client_id")},
		{"by_settled", gives("sort", "settled_date")},
		{"ascending", gives("order", "asc")},
		{"comparing_transaction", has("x-include-replay-protection-schema", "x-transaction-uuid")},
		{"comparing_both", func(header func(string) string, _ map[string]any) bool {
			return strings.Contains(header("x-include-replay-protection-schema"), "&")
		}},
	}...)
}

// Partners names the partners of an operation.
func Partners(op client.Operation) (names []string) {
	for _, one := range partnersOf(op) {
		names = append(names, one.name)
	}
	return names
}

// beside is the operation of a request, and which partners stood beside it, none of them included.
type beside struct {
	op       client.Operation
	partners []string
	accepted bool
}

// met lists the pairs that a run sent and judged.
func met(p *spec.Plan, c *client.Client) map[Pair]bool {
	sent, all := requests(c), map[Pair]bool{}
	add := func(rule string, b beside) {
		for _, name := range b.partners {
			all[Pair{rule, b.op, name}] = true
		}
	}
	for _, sp := range p.Specs() {
		r := p.Result(sp)
		if r == nil || r.Verdict != record.Pass {
			continue
		}
		seqs, everything := r.Judged()
		for _, seq := range seqs {
			add(r.Rule, sent[seq])
		}
		if !everything {
			continue
		}
		operation := rules.Rule{ID: r.Rule}.Operation()
		one := operation == string(client.Create) || operation == string(client.Export)
		for _, b := range sent {
			if b.accepted && (!one || operation == string(b.op)) {
				add(r.Rule, b)
			}
		}
	}
	return all
}

// requests lists the creations and the exports of a run by their numbers.
func requests(c *client.Client) map[int]beside {
	partners := map[client.Operation][]sees{
		client.Create: partnersOf(client.Create), client.Export: partnersOf(client.Export),
	}
	sent := map[int]beside{}
	for seq := c.FirstSeq() + 1; ; seq++ {
		x := c.Exchange(seq)
		if x == nil {
			return sent
		}
		known, ok := partners[x.Operation]
		if !ok {
			continue
		}
		var body map[string]any
		_ = json.Unmarshal(x.Recorded.RequestBody, &body)
		header := func(name string) string {
			for key, values := range x.Recorded.RequestHeader {
				if strings.EqualFold(key, name) {
					return values[0]
				}
			}
			return ""
		}
		b := beside{op: x.Operation, partners: []string{""}, accepted: x.Success()}
		for _, one := range known {
			if one.in(header, body) {
				b.partners = append(b.partners, one.name)
			}
		}
		sent[seq] = b
	}
}

// Cycle is the healthy gateway with the seeds of one cycle.
func Cycle() (all []Subject) {
	for seed := range int64(target.Cycle) {
		all = append(all, Subject{Seed: seed + 1})
	}
	return all
}

// CoverageSchema names the shape of a Coverage as JSON.
const CoverageSchema = "gateassay/pairs/v2"

// Coverage is which pairs each run of a cycle puts together.
type Coverage struct {
	Schema string        `json:"schema"`
	Score  CoverageScore `json:"score"`
	Cells  []Cell        `json:"cells"`
}

// CoverageScore sums a Coverage up.
type CoverageScore struct {
	Pairs    int   `json:"pairs"`    // that have a meaning
	EachRun  []int `json:"each_run"` // how many of them each run sends
	Requests int   `json:"requests"` // of the run that sends most
}

// Cell is what became of a pair.
type Cell struct {
	Rule        string           `json:"rule"`
	Operation   client.Operation `json:"operation"`
	Partner     string           `json:"partner"`
	Meaningless string           `json:"meaningless,omitempty"` // why they would say nothing
	Missed      []int64          `json:"missed,omitempty"`      // the seeds whose runs do not put them together
}

// NewCoverage compares what runs put together with what has a meaning.
func NewCoverage(findings []Finding) Coverage {
	c := Coverage{Schema: CoverageSchema}
	if len(findings) == 0 {
		return c
	}
	c.Score.EachRun = make([]int, len(findings))
	for _, pair := range Possible(findings[0].Catalogue) {
		cell := Cell{
			Rule: pair.Rule, Operation: pair.Operation, Partner: pair.Partner, Meaningless: pair.Meaningless(),
		}
		if cell.Meaningless == "" {
			c.Score.Pairs++
			for i, f := range findings {
				if f.Met[pair] {
					c.Score.EachRun[i]++
				} else {
					cell.Missed = append(cell.Missed, f.Subject.Seed)
				}
			}
		}
		c.Cells = append(c.Cells, cell)
	}
	for _, f := range findings {
		c.Score.Requests = max(c.Score.Requests, f.Requests)
	}
	return c
}
