package record

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
)

// family is a defect that breaks several rules at once, and nothing less than all of what it would break proves it: every
// check of its rules that was judged failed, in the same way.
type family struct {
	headline string
	rules    []string // patterns of IDs
	core     int      // so many of the first rules have to be broken; the others may be unverified
	least    int      // rules that have to be broken; 0: two
	checks   string   // what the names of the checks have in common; empty: every check of the rules
	got      string   // each of them was answered with a status that begins with it: "2" for a request that was accepted
	late     string   // the one check of replay.late that counts ends with it; empty: all do
}

// known lists the families, those that explain the most first.
func known() []family {
	forged := []string{
		"auth.missing", "auth.bearer.garbage", "auth.api_key.unknown", "auth.bearer.empty", "auth.bearer.payload", "auth.bearer.signature",
		"auth.bearer.signature_cut", "auth.bearer.signature_removed", "auth.bearer.alg_none", "auth.bearer.other_key",
		"auth.api_key.altered", "auth.api_key.empty",
	}
	signatures := []string{
		"auth.bearer.payload", "auth.bearer.signature", "auth.bearer.signature_cut", "auth.bearer.signature_removed",
		"auth.bearer.alg_none", "auth.bearer.other_key",
	}
	forgeable := []string{"auth.bearer.payload", "auth.bearer.signature", "auth.bearer.signature_cut", "auth.bearer.other_key"}
	unsigned := []string{"auth.bearer.signature_removed", "auth.bearer.alg_none"}
	keys := []string{"auth.api_key.unknown", "auth.api_key.altered", "auth.api_key.revoked"}
	list := rejections()
	list = append(list, family{headline: "Nobody has to authenticate: requests without a valid credential are accepted", rules: forged, core: 3, got: "2"})
	for _, of := range []struct{ name, checks string }{{"creations", "creation with "}, {"exports", "export with "}} {
		list = append(list, family{
			headline: "Nobody has to authenticate for " + of.name + ": they are accepted without a valid credential",
			rules:    forged, core: 3, checks: of.checks, got: "2",
		})
	}
	for _, one := range []family{
		{headline: "Signatures of tokens are not verified: changed and unsigned tokens are accepted", rules: signatures},
		{headline: "Signatures of tokens are not verified: any signature is accepted", rules: forgeable},
		{headline: "Unsigned tokens are accepted", rules: unsigned},
		{headline: "API keys are not checked: unknown and altered ones are accepted", rules: keys},
	} {
		one.got, one.core = "2", len(one.rules)
		if one.rules[0] == keys[0] {
			one.core = 2
		}
		list = append(list, one)
		for _, of := range []struct{ name, checks string }{{"creations", "creation with "}, {"exports", "export with "}} {
			list = append(list, family{
				headline: one.headline + ", for " + of.name, rules: one.rules, core: one.core, checks: of.checks, got: "2",
			})
		}
	}
	list = append(list, replays()...)
	for _, field := range []string{"shareholder_id", "mother_name", "phone_number", "email", "address"} {
		base := "create.required." + field
		list = append(list, family{
			headline: field + " is not required: absent, null and empty are accepted",
			rules:    []string{base, base + ".null", base + ".empty"}, core: 3, got: "2",
		})
	}
	for _, h := range []struct{ name, rules string }{
		{"The transaction ID of a creation", "create.header.transaction_id."},
		{"The nonce of a creation", "create.header.nonce."},
		{"The nonce of an export", "export.header.nonce."},
	} {
		list = append(list, family{
			headline: h.name + " is not checked: absent, malformed and of other versions it is accepted",
			rules:    []string{h.rules + "absent", h.rules + "malformed", h.rules + "version"}, core: 3, got: "2",
		})
	}
	return list
}

// rejections are the families of an operation that answers all that it has to reject in one wrong way.
func rejections() (list []family) {
	for _, of := range []struct{ name, rules, checks string }{
		{"Creations", "create.*", "rejects a creation "}, {"Exports", "export.*", "refuses an export "},
	} {
		list = append(list,
			family{
				headline: of.name + " that have to be rejected end in a server error", rules: []string{of.rules}, least: 5, checks: of.checks, got: "5",
			},
			family{
				headline: of.name + " that have to be rejected are answered with a 2xx", rules: []string{of.rules}, least: 5, checks: of.checks, got: "2",
			})
	}
	return list
}

// replays are the families of replay protection: what is not enforced, and what is not compared.
func replays() (list []family) {
	blocked := map[string][]string{
		"none": {"same", "other_nonce", "other_transaction", "other_both"}, "nonce": {"same", "other_transaction"},
		"transaction": {"same", "other_nonce"}, "transaction_nonce": {"same"}, "nonce_transaction": {"same"},
	}
	var all, races []string
	var modes []family
	for _, m := range rules.Modes() {
		var own []string
		for _, cell := range blocked[m.Name] {
			own = append(own, "replay."+m.Name+"."+cell)
		}
		all, races = append(all, own...), append(races, "replay.race."+m.Name)
		mode := m.Header
		if mode == "" {
			mode = "no replay value"
		}
		modes = append(modes, family{
			headline: "Replay protection is not enforced with " + mode + ": repeats are accepted",
			rules:    append(own, "replay.race."+m.Name, "replay.late"), core: len(own), late: " with " + mode,
		})
	}
	list = append(list, family{headline: "Replay protection is not enforced: repeats are accepted in every mode", rules: slices.Concat(all, races, []string{"replay.late"}), core: len(all)})
	list = append(list, modes...)
	list = append(list, family{headline: "Replay protection lets identical requests at once through, in every mode", rules: races, core: len(races)})
	for _, part := range []struct{ cell, name string }{{"other_body", "body"}, {"other_query", "query"}, {"other_user", "user"}} {
		var cells []string
		for _, m := range rules.Modes() {
			cells = append(cells, "replay."+m.Name+"."+part.cell)
		}
		list = append(list, family{
			headline: "Replay protection does not compare the " + part.name + ": requests that differ in it are blocked, in every mode",
			rules:    cells, core: len(cells), got: "4",
		})
	}
	for _, part := range []struct{ mode, cell, name string }{
		{"nonce", "other_nonce", "nonce"}, {"transaction", "other_transaction", "transaction ID"},
	} {
		base := "replay." + part.mode + "."
		list = append(list, family{
			headline: "Replay protection does not compare the " + part.name + " in the mode of that name",
			rules:    []string{base + part.cell, base + "other_both"}, core: 2, got: "4",
		})
	}
	return list
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
			kept = kept || slices.ContainsFunc(r.Checks, func(c Check) bool { return f.covers(r, c) && !f.broken(c) && judged(c) })
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
	status := answered.FindStringSubmatch(c.Actual)
	return status != nil && strings.HasPrefix(status[1], f.got)
}

// answered finds the status that a check's actual text begins with.
var answered = regexp.MustCompile(`^(?:\d+ of \d+ attempts: )?([1-5]\d\d)\b`)

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
