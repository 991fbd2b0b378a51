package proof

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
)

// Matrix is the kill matrix of a set of faults.
type Matrix struct {
	Schema string `json:"schema"` // gateassay/proof/v1
	Score  Score  `json:"score"`
	Rows   []Row  `json:"faults"`
}

// Score sums a matrix up.
type Score struct {
	Faults     int      `json:"faults"`
	Killed     int      `json:"killed"`           // the fault's own rule failed
	Precise    int      `json:"precise"`          // nothing unrelated failed
	Exact      int      `json:"exact"`            // the own rule failed and no other
	FailedMean float64  `json:"failed_mean"`      // rules that failed for a fault, on average; those of a sweeping fault count as one
	Unproven   []string `json:"rules_unproven"`   // must and should rules that no fault was seen to break
	ProvenOnly int      `json:"rules_with_exact"` // rules that some fault breaks alone
}

const matrixSchema = "gateassay/proof/v1"

// Row is one fault with what failed.
type Row struct {
	Fault     string   `json:"fault"`
	Rule      string   `json:"rule"`
	Statement string   `json:"statement"`
	Killed    bool     `json:"killed"`
	Failed    []string `json:"failed"`
	Unrelated []string `json:"unrelated"`
	Reason    string   `json:"reason,omitempty"` // why the own rule did not fail
}

// Faults makes a subject of each fault.
func Faults(faults []reference.Fault, seed int64) []Subject {
	var list []Subject
	for _, f := range faults {
		list = append(list, Subject{Fault: f, Seed: seed})
	}
	return list
}

// NewMatrix sums findings about faults up.
func NewMatrix(findings []Finding) Matrix {
	m := Matrix{Schema: matrixSchema, Rows: []Row{}}
	proven, alone := map[string]bool{}, map[string]bool{}
	failed := 0
	for _, f := range findings {
		row := Row{
			Fault: f.Subject.Fault.Name, Rule: f.Subject.Fault.Rule, Statement: f.Subject.Fault.Statement,
			Killed: f.Killed(), Failed: orEmpty(f.Failed), Unrelated: orEmpty(f.Unrelated()),
		}
		m.Score.Faults++
		for _, id := range f.Failed {
			if id == row.Rule || !f.sweeps(id) {
				failed++
			}
		}
		if row.Killed {
			m.Score.Killed++
			proven[row.Rule] = true
		} else {
			row.Reason = f.Reasons[row.Rule]
			if missed := f.Missed(); row.Reason == "" || len(missed) > 0 && !slices.Contains(missed, row.Rule) {
				row.Reason = "these did not fail: " + strings.Join(missed, ", ")
			}
		}
		if len(row.Unrelated) == 0 {
			m.Score.Precise++
		}
		if row.Killed && len(f.Failed) == 1 {
			m.Score.Exact++
			alone[row.Rule] = true
		}
		m.Rows = append(m.Rows, row)
	}
	if m.Score.Faults > 0 {
		m.Score.FailedMean = float64(failed*100/m.Score.Faults) / 100
	}
	m.Score.Unproven = []string{}
	var catalogue []rules.Rule
	if len(findings) > 0 {
		catalogue = findings[0].Catalogue
	}
	for _, r := range catalogue {
		if r.Level != rules.Observe && !proven[r.ID] {
			m.Score.Unproven = append(m.Score.Unproven, r.ID)
		}
	}
	m.Score.ProvenOnly = len(alone)
	return m
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// WriteJSON prints the matrix for programs.
func (m Matrix) WriteJSON(w io.Writer) error { return writeJSON(w, m) }

func writeJSON(w io.Writer, value any) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(value)
}

// WriteTable prints the matrix for a terminal: what was not killed and what was not precise first.
func (m Matrix) WriteTable(w io.Writer) error {
	var b strings.Builder
	rows := slices.Clone(m.Rows)
	slices.SortStableFunc(rows, func(a, c Row) int { return rank(a) - rank(c) })
	for _, r := range rows {
		state := "killed"
		if !r.Killed {
			state = "SURVIVED"
		}
		fmt.Fprintf(&b, "%-8s %-58s %s\n", state, r.Fault, strings.Join(marked(r), " "))
		if !r.Killed {
			fmt.Fprintf(&b, "         the gateway %s; %s: %s\n", r.Statement, r.Rule, r.Reason)
		}
	}
	fmt.Fprintf(&b, "\n%s\n", m.Score)
	_, err := io.WriteString(w, b.String())
	return err
}

func rank(r Row) int {
	switch {
	case !r.Killed:
		return 0
	case len(r.Unrelated) > 0:
		return 1
	}
	return 2
}

// marked lists the failed rules, the own one first, unrelated ones with a mark.
func marked(r Row) []string {
	var list []string
	if r.Killed {
		list = append(list, r.Rule)
	}
	for _, id := range r.Failed {
		switch {
		case id == r.Rule:
		case slices.Contains(r.Unrelated, id):
			list = append(list, "!"+id)
		default:
			list = append(list, "+"+id)
		}
	}
	return list
}

// String is the score in one line.
func (s Score) String() string {
	share := func(n int) string { return shareOf(n, s.Faults) }
	text := fmt.Sprintf("killed %s, precise %s, alone %s; %.2f rules failed for a fault on average",
		share(s.Killed), share(s.Precise), share(s.Exact), s.FailedMean)
	const most = 12 // a few chosen faults leave nearly all rules unproven
	switch n := len(s.Unproven); {
	case n > most:
		text += fmt.Sprintf("; %d rules are broken by none of these faults", n)
	case n > 0:
		text += fmt.Sprintf("; %d rules without a fault that breaks them: %s", n, strings.Join(s.Unproven, ", "))
	}
	return text
}
