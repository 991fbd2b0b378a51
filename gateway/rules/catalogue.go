package rules

import (
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/meant"
)

// Sections of the API document, by their headings.
const (
	sectionRecord  Section = "Legal representative (response of creation)"
	sectionRequest Section = "Legal representative (creation request body)"
	sectionCreate  Section = "Create legal representative"
	sectionFile    Section = "Quote export file (response of export)"
	sectionExport  Section = "Generate quote statement export file"
	sectionStates  Section = "States and transitions"
	sectionAuth    Section = "Authentication"
	sectionErrors  Section = "Errors"
	sectionLimits  Section = "Limits"
)

// Keys of the deployment file that rules need.
const (
	needShareholder = "fixtures.shareholder_id"
	needForeign     = "fixtures.foreign_shareholder_id"
	needProduct     = "fixtures.product_id"
	needTarget      = "fixtures.target_user_id"
	needDocuments   = "legal_representative.documents"
	needFile        = "export.file"
	needWindow      = "fixtures.window"
	needWallet      = "fixtures.default_wallet_id"
	needOtherWallet = "fixtures.other_wallet_id"
	needClient      = "fixtures.client_id"
	needToken       = "credentials.platform_token"
	needKey         = "credentials.api_key"
	needExpired     = "credentials.expired_token"
	needUnpriv      = "credentials.unprivileged"
	needOtherUser   = "credentials.other_user"
)

// All returns the catalogue in its reading order: creation, export, replay protection, authentication.
func All() []Rule {
	var all []Rule
	for _, part := range [][]Rule{
		createSuccess(), createRecord(), createEcho(), createDefaults(), createRequired(), createValues(),
		createHeaders(), createRepeat(), createBodies(), createDocuments(), createObserved(),
		exportAnswer(), exportHeaders(), exportBodies(), exportFiles(), exportRange(), exportSelection(), exportObserved(),
		replayTable(), replayFurther(), replayObserved(),
		authMethods(), authObserved(),
	} {
		all = append(all, part...)
	}
	return all
}

// Lookup finds a rule by its ID.
func Lookup(id string) (Rule, bool) {
	for _, r := range All() {
		if r.ID == id {
			return r, true
		}
	}
	return Rule{}, false
}

// Match tells whether an ID is the pattern or falls under it. In a pattern, * stands for any run of characters:
// create.required.* covers every rule below create.required, and the rule create.required itself.
func Match(pattern, id string) bool {
	if pattern == id || strings.TrimSuffix(pattern, ".*") == id {
		return true
	}
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return false
	}
	if !strings.HasPrefix(id, parts[0]) {
		return false
	}
	id = id[len(parts[0]):]
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(id, part)
		if at < 0 {
			return false
		}
		id = id[at+len(part):]
	}
	return strings.HasSuffix(id, parts[len(parts)-1])
}

// Near returns up to three catalogue IDs that look like the given one, for "did you mean".
func Near(id string) []string {
	var ids []string
	for _, r := range All() {
		ids = append(ids, r.ID)
	}
	return meant.Near(id, ids)
}

func must(id string, section Section, statement string, needs ...string) Rule {
	return Rule{ID: id, Level: Must, Section: section, Statement: statement, Needs: needs}
}

func should(id string, section Section, statement string, needs ...string) Rule {
	return Rule{ID: id, Level: Should, Section: section, Statement: statement, Needs: needs}
}

func observe(id string, section Section, statement string, needs ...string) Rule {
	return Rule{ID: id, Level: Observe, Section: section, Statement: statement, Needs: needs}
}

// needing adds keys that a whole family of rules depends on.
func needing(family []Rule, keys ...string) []Rule {
	for i := range family {
		for _, key := range keys {
			if !slices.Contains(family[i].Needs, key) {
				family[i].Needs = append(family[i].Needs, key)
			}
		}
	}
	return family
}
