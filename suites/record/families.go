package record

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
)

// family is a defect that breaks several rules at once, and nothing less than all of what it would break proves it:
// every check of its rules that was judged failed, in the same way.
type family struct {
	headline string
	rules    []string // patterns of IDs
	core     int      // so many of the first rules have to be broken; the others may be unverified
	least    int      // rules that have to be broken; 0: two
	checks   string   // what the names of the checks have in common; empty: every check of the rules
	got      string   // what the status of each answer begins with: "2" for an accepted request
	late     string   // the one check of replay.late that counts ends with it; empty: all do
}

// whole is a family all of whose rules have to be broken, by answers whose status begins with got.
func whole(got, headline string, rules ...string) family {
	return family{headline: headline, rules: rules, core: len(rules), got: got}
}

// known lists the families, those that explain the most first.
func known() []family {
	return slices.Concat(rejections(), credentials(), replays(), parameters())
}

// rejections are the families of an operation that answers all that it has to reject in one wrong way.
func rejections() (list []family) {
	for _, of := range []struct{ name, rules, checks string }{
		{"Creations", "create.*", "rejects a creation "}, {"Exports", "export.*", "refuses an export "},
	} {
		for _, answer := range []struct{ got, words string }{
			{"5", "end in a server error"},
			{"2", "are answered with a 2xx"},
		} {
			list = append(list, family{
				headline: of.name + " that have to be rejected " + answer.words, rules: []string{of.rules},
				least: 5, checks: of.checks, got: answer.got,
			})
		}
	}
	return list
}

// credentials are the families of authentication: each of both operations, then of one.
func credentials() (list []family) {
	anybody := whole("2", "Nobody has to authenticate%s: requests without a valid credential are accepted",
		"auth.missing", "auth.bearer.garbage", "auth.api_key.unknown", "auth.bearer.empty", "auth.bearer.payload",
		"auth.bearer.signature",
		"auth.bearer.signature_cut", "auth.bearer.signature_removed", "auth.bearer.alg_none", "auth.bearer.other_key",
		"auth.api_key.altered", "auth.api_key.empty")
	anybody.core = 3
	keys := whole("2", "API keys are not checked%s: unknown and altered ones are accepted",
		"auth.api_key.unknown", "auth.api_key.altered", "auth.api_key.revoked")
	keys.core = 2
	for _, f := range []family{
		anybody,
		whole("2", "Signatures of tokens are not verified%s: changed and unsigned tokens are accepted",
			"auth.bearer.payload",
			"auth.bearer.signature", "auth.bearer.signature_cut", "auth.bearer.signature_removed",
			"auth.bearer.alg_none", "auth.bearer.other_key"),
		whole("2", "Signatures of tokens are not verified%s: any signature is accepted",
			"auth.bearer.payload", "auth.bearer.signature", "auth.bearer.signature_cut", "auth.bearer.other_key"),
		whole("2", "Unsigned tokens are accepted%s", "auth.bearer.signature_removed", "auth.bearer.alg_none"),
		keys,
	} {
		both := f
		both.headline = fmt.Sprintf(f.headline, "")
		list = append(list, both)
		for _, o := range rules.Operations() {
			one := f
			one.headline, one.checks = fmt.Sprintf(f.headline, " for "+o.Request+"s"), o.Request+" with "
			list = append(list, one)
		}
	}
	return list
}

// parameters are the families of required parameters that are not checked at all.
func parameters() (list []family) {
	for _, field := range []string{"shareholder_id", "mother_name", "phone_number", "email", "address"} {
		base := "create.required." + field
		list = append(list, whole("2", field+" is not required: absent, null and empty are accepted", base,
			base+".null", base+".empty"))
	}
	for _, h := range []struct{ name, rules string }{
		{"The transaction ID of a creation", "create.header.transaction_id."},
		{"The nonce of a creation", "create.header.nonce."},
		{"The nonce of an export", "export.header.nonce."},
	} {
		list = append(list, whole("2", h.name+" is not checked: absent, malformed and of other versions it is accepted",
			h.rules+"absent", h.rules+"malformed", h.rules+"version"))
	}
	return list
}

// replays are the families of replay protection: what is not enforced, and what is not compared.
func replays() (list []family) {
	var all, races []string
	var modes []family
	differing := map[string][]string{} // the rules about each way to differ, one of each mode
	for _, m := range rules.Modes() {
		var blocked []string
		for _, cell := range rules.Cells() {
			id := "replay." + m.Name + "." + cell.Name
			if m.Blocks(cell) {
				blocked = append(blocked, id)
			}
			differing[cell.Name] = append(differing[cell.Name], id)
		}
		race, mode := "replay.race."+m.Name, cmp.Or(m.Header, "no replay value")
		all, races = append(all, blocked...), append(races, race)
		modes = append(modes, family{
			headline: "Replay protection is not enforced with " + mode + ": repeats are accepted",
			rules:    append(blocked, race, "replay.late"), core: len(blocked), late: " with " + mode,
		})
	}
	list = append(list, family{
		headline: "Replay protection is not enforced: repeats are accepted in every mode",
		rules:    slices.Concat(all, races, []string{"replay.late"}), core: len(all),
	})
	list = append(append(list, modes...),
		whole("", "Replay protection lets identical requests at once through, in every mode", races...))
	for _, part := range []string{"body", "query", "user"} {
		list = append(list, whole("4",
			"Replay protection does not compare the "+part+": requests that differ in it are blocked, in every mode",
			differing["other_"+part]...))
	}
	return append(list,
		whole("4", "Replay protection does not compare the nonce in the mode of that name",
			"replay.nonce.other_nonce", "replay.nonce.other_both"),
		whole("4", "Replay protection does not compare the transaction ID in the mode of that name",
			"replay.transaction.other_transaction", "replay.transaction.other_both"))
}

// families are those that the checks of some rules prove.
func families(list []Rule) []family {
	var proven []family
	for _, f := range known() {
		broken, kept, core := 0, false, map[string]bool{}
		for _, r := range list {
			if !f.about(r.ID) {
				continue
			}
			if f.explains(r) {
				broken++
			}
			if slices.Contains(f.rules[:f.core], r.ID) && f.shows(r) {
				core[r.ID] = true
			}
			kept = kept || slices.ContainsFunc(r.Checks, func(c Check) bool {
				return f.covers(r, c) && !f.broken(c) &&
					judged(c)
			})
		}
		if broken >= max(2, f.least) && !kept && len(core) == f.core {
			proven = append(proven, f)
		}
	}
	return proven
}

func (f family) about(id string) bool {
	return slices.ContainsFunc(f.rules, func(pattern string) bool { return rules.Match(pattern, id) })
}

func (f family) covers(r Rule, c Check) bool {
	return strings.Contains(c.Name, f.checks) && (r.ID != "replay.late" || strings.HasSuffix(c.Name, f.late))
}

func (f family) broken(c Check) bool {
	if c.Verdict != Fail || f.got == "" {
		return c.Verdict == Fail
	}
	status := gotStatus.FindStringSubmatch(c.Actual)
	return status != nil && strings.HasPrefix(status[1], f.got)
}

// gotStatus finds the status that a check's actual text begins with.
var gotStatus = regexp.MustCompile(`^(?:\d+ of \d+ attempts: )?([1-5]\d\d)\b`)

func judged(c Check) bool { return c.Verdict == Fail || c.Verdict == Pass }

// shows reports whether a check of a rule failed as the family would break it.
func (f family) shows(r Rule) bool {
	return slices.ContainsFunc(r.Checks, func(c Check) bool { return f.covers(r, c) && f.broken(c) })
}

// explains reports whether everything that failed of a rule is what the family would break.
func (f family) explains(r Rule) bool {
	failed := 0
	for _, c := range r.Checks {
		if c.Verdict != Fail {
			continue
		}
		if !f.about(r.ID) || !f.covers(r, c) || !f.broken(c) {
			return false
		}
		failed++
	}
	return failed > 0
}
