package page

import (
	"strings"

	"github.com/gateassay/gateassay/docs"
	"github.com/gateassay/gateassay/reports/digest"
)

// reasons say what goes wrong for those who rely on the gateway when a rule of a topic does not hold.
var reasons = map[string]string{
	"create.success":       "Integrations branch on the status and read the record from the answer; without them a created representative is lost to the caller.",
	"create.response":      "Generated clients parse by these types and formats; one field of another type breaks them for every record.",
	"create.person_type":   "Compliance systems treat natural and legal persons differently; a wrong type sends a person down the wrong process.",
	"create.echo":          "What is stored decides about a real person's onboarding; a value that changes on the way in is a wrong record that nobody notices.",
	"create.default":       "Callers leave a field out because they trust the default; another default silently files another fact.",
	"create.required":      "A record without this cannot be used for due diligence; accepting it moves the failure to where it is costly to repair.",
	"create.type":          "A value of the wrong type that is taken anyway is guessed at, and each system behind the gateway may guess differently.",
	"create.shareholder":   "The shareholder ties a representative to its owner; a lax check lets one customer write into another customer's structure.",
	"create.participation": "Shares outside 0 to 100 falsify who controls a company, which is what the register is for.",
	"create.money":         "Amounts in cents leave no room for rounding; fractions or text taken here become wrong amounts later.",
	"create.cpf":           "The CPF identifies the person; spellings that slip through make one person look like several, or like nobody.",
	"create.dates":         "Dates decide on age and on the term of an office; an impossible one that is taken is stored as another day or not at all.",
	"create.flags":         "These declarations have legal weight; a value that is no boolean can be read as its opposite.",
	"create.qualification": "The qualification decides what a representative may sign; unknown values leave that open.",
	"create.email":         "Notices reach the representative by e-mail; an address that cannot work is found out when it is needed.",
	"create.header":        "These identifiers tell requests, objects and users apart; when they are not checked, retries and traces stop working.",
	"create.permission":    "Without this check anybody with a login can appoint representatives.",
	"create.repeat":        "Networks fail after the server has acted; if a repeated request is not recognised, one person is registered twice.",
	"create.body":          "Broken requests arrive in every production system; they must be refused cleanly, not crash or be half understood.",
	"create.documents":     "A representative counts only once the documents are there; an upload that fails, or is taken for nobody, blocks the onboarding.",
	"create.observed":      "The document leaves this open, yet clients come to depend on it; a change shows up when two runs are compared.",

	"export.success":   "Every field of the request is optional; a caller that uses the least must still get a file.",
	"export.response":  "The file ID and state are all that a caller holds while the file is made; malformed, the export is out of reach.",
	"export.header":    "The headers say who asks and for which wallet; unchecked, a statement of the wrong account may be made.",
	"export.body":      "A misspelt filter that is ignored gives a file that looks right and holds the wrong rows.",
	"export.file":      "The file is fed into accounting by programs; what a strict parser cannot read, or holds twice, is booked wrongly.",
	"export.range":     "Periods are joined end to end in accounting; a bound that is off by one counts a quote twice or never.",
	"export.default":   "Most callers rely on the defaults; a different one changes their statements without an error.",
	"export.wallet":    "Balances are reconciled by wallet; rows of another wallet make them wrong.",
	"export.order":     "Readers that stop at a date trust the order; unsorted rows are skipped.",
	"export.filter":    "A statement for one client must hold all of that client's rows and no one else's, or it leaks or lacks money movements.",
	"export.target":    "Whoever acts for another must get that other's rows, and nobody else's: a mix-up shows strangers each other's money.",
	"export.isolation": "Financial data of one user in another user's file is a breach of confidentiality.",
	"export.observed":  "The document leaves this open, yet programs that read the file come to depend on it; a change shows up when two runs are compared.",

	"replay.none":              "Without a scheme, sameness is all that tells a replayed request from a new one; missed, a captured request can be sent again.",
	"replay.nonce":             "The nonce is what a caller changes to ask again on purpose; both a missed replay and a false block cost it.",
	"replay.transaction":       "The transaction ID is what makes a request new; both a missed replay and a false block cost the caller.",
	"replay.transaction_nonce": "Either identifier makes a request new; a scheme that looks at only one of them blocks what is legitimate or lets replays pass.",
	"replay.nonce_transaction": "The order in which the two are named must not matter; otherwise half of the callers get another protection than they asked for.",
	"replay.mode":              "Two spellings of one choice must share one memory; otherwise a replay under the other spelling passes.",
	"replay.method":            "A user has one identity, however it is proved; otherwise a replay by the other method passes.",
	"replay.late":              "A captured request may be replayed hours later; protection that forgets within one run protects little.",
	"replay.race":              "Replays that arrive at the same instant are how checks that read before they write are beaten.",
	"replay.blocked_is_4xx":    "A block that looks like a server failure makes clients try again, which is the opposite of what it is for.",
	"replay.observed":          "The document leaves this open, yet retry logic comes to depend on it; a change shows up when two runs are compared.",

	"auth.bearer":        "The token is the only proof of who is asking; each forged one that works opens the whole API.",
	"auth.api_key":       "Keys are still in use while they are phased out; they must be checked as strictly as tokens.",
	"auth.missing":       "A request without proof of identity that is served means that everybody is served.",
	"auth.export_status": "Clients renew their credentials on 401; another status leaves them retrying in vain.",
	"auth.confidential":  "A credential that comes back in an answer ends up in logs, where others can use it.",
	"auth.observed":      "The document leaves this open, yet clients come to depend on it; a change shows up when two runs are compared.",
}

// why says why a rule matters; empty when the catalogue has no word on its topic.
func why(id string) string {
	operation, _, _ := strings.Cut(id, ".")
	return reasons[operation+"."+digest.Topic(id)]
}

// document is the statement of the API document that a rule verifies; nil for rules of one's own.
func document(rule string) *docs.Statement {
	if s, ok := docs.Of(rule); ok {
		return &s
	}
	return nil
}
