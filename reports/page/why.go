package page

import (
	"strings"

	"github.com/gateassay/gateassay/docs"
)

// reasons say what goes wrong for those who rely on the gateway when a rule does not hold: by its ID, or by the longest
// beginning of it that has a reason.
var reasons = map[string]string{ // #nosec G101 -- words about credentials, none of which is one
	"create.success":                  "Integrations branch on the status and read the record from the answer; without them a created representative is lost to the caller.",
	"create.response":                 "Generated clients parse by these types and formats; one field of another type breaks them for every record.",
	"create.person_type":              "Compliance systems treat natural and legal persons differently; a wrong type sends a person down the wrong process.",
	"create.echo":                     "What is stored decides about a real person's onboarding; a value that changes on the way in is a wrong record that nobody notices.",
	"create.default":                  "Callers leave a field out because they trust the default; another default silently files another fact.",
	"create.required":                 "A record without this cannot be used for due diligence; accepting it moves the failure to where it is costly to repair.",
	"create.type":                     "A value of the wrong type that is taken anyway is guessed at, and each system behind the gateway may guess differently.",
	"create.shareholder.foreign":      "One customer could write representatives into another customer's ownership structure.",
	"create.shareholder":              "The shareholder ties a representative to its owner; a lax check lets one customer write into another customer's structure.",
	"create.participation":            "Shares outside 0 to 100 falsify who controls a company, which is what the register is for.",
	"create.money":                    "Amounts in cents leave no room for rounding; fractions or text taken here become wrong amounts later.",
	"create.cpf":                      "The CPF identifies the person; spellings that slip through make one person look like several, or like nobody.",
	"create.dates":                    "Dates decide on age and on the term of an office; an impossible one that is taken is stored as another day or not at all.",
	"create.flags":                    "These declarations have legal weight; a value that is no boolean can be read as its opposite.",
	"create.qualification":            "The qualification decides what a representative may sign; unknown values leave that open.",
	"create.email":                    "Notices reach the representative by e-mail; an address that cannot work is found out when it is needed.",
	"create.header.product.foreign":   "A product of somebody else would be used, and billed, without its owner.",
	"create.header.product":           "A product that is not checked files the representative under the wrong one.",
	"create.header.on_behalf_of":      "Acting for another user without the product that allows it bypasses who may act for whom.",
	"create.header.language":          "Users would read messages in a language that they did not choose.",
	"create.header.transaction_id":    "The transaction ID recognises a retry; without a sound one, one person is registered twice.",
	"create.header.nonce":             "The nonce tells requests apart; without a sound one, a replay cannot be told from a new request.",
	"create.header":                   "These identifiers tell requests, objects and users apart; when they are not checked, retries and traces stop working.",
	"create.permission":               "Without this check anybody with a login can appoint representatives.",
	"create.repeat.race":              "Retries that overtake each other would register one person many times.",
	"create.repeat.unchanged":         "A retry would silently rewrite a record that others have checked already.",
	"create.repeat.other_body":        "A used identifier would register or overwrite another person.",
	"create.repeat.other_transaction": "Two people would share one record, and the second be lost.",
	"create.repeat":                   "Networks fail after the server has acted; if a repeated request is not recognised, one person is registered twice.",
	"create.body":                     "Broken requests arrive in every production system; they must be refused cleanly, not crash or be half understood.",
	"create.documents.authenticated":  "Strangers could put identity documents of their own beside a representative.",
	"create.documents.unknown_id":     "Documents of nobody are personal data that nobody knows of or deletes.",
	"create.documents":                "A representative counts only once the documents are there; an upload that fails, or is taken for nobody, blocks the onboarding.",
	"create.observed":                 "The document leaves this open, yet clients come to depend on it; a change shows up when two runs are compared.",

	"export.success":               "Every field of the request is optional; a caller that uses the least must still get a file.",
	"export.response":              "The file ID and state are all that a caller holds while the file is made; malformed, the export is out of reach.",
	"export.header.target_user":    "Acting for another user without the product that allows it bypasses who may act for whom.",
	"export.header.nonce":          "The nonce tells requests apart; without a sound one, a replay cannot be told from a new request.",
	"export.header.wallet":         "A wallet that is misread gives the statement of another account.",
	"export.header.product":        "A product that is misread gives the statement of another one.",
	"export.header.language":       "Users would read messages in a language that they did not choose.",
	"export.header":                "The headers say who asks and for which wallet; unchecked, a statement of the wrong account may be made.",
	"export.body":                  "A misspelt field that is ignored gives a file that looks right and holds the wrong rows.",
	"export.file.private":          "Whoever learns or guesses a file ID would read the money movements of somebody else.",
	"export.file.authenticated":    "The statement would be open to everybody who has the address, such as from a log or a history.",
	"export.file.retrievable":      "An export that is accepted and never yields a file leaves its caller waiting without an error.",
	"export.file":                  "The file is fed into accounting by programs; what a strict parser cannot read, or holds twice, is booked wrongly.",
	"export.range.start_inclusive": "The first quote of a period would be missing from every statement of it.",
	"export.range.end_exclusive":   "The first quote of the next period would be counted in both.",
	"export.range.partition":       "Monthly statements would not add up to the year: a quote is counted twice or never.",
	"export.range.open":            "Callers that ask for everything since a date would get something else.",
	"export.range.empty":           "A period of no length that holds quotes shows that a bound is off; every period is wrong by as much.",
	"export.range.start_after_end": "Swapped bounds are a common slip; a file of other quotes hides it.",
	"export.range.precision":       "Quotes of the same second or day as a bound would fall into the wrong period.",
	"export.range.offset":          "Callers in another time zone would get the quotes of other hours.",
	"export.range.follows_sort":    "A statement by settlement would be cut by the day of creation: the wrong quotes for that period.",
	"export.default":               "Most callers rely on the defaults; a different one changes their statements without an error.",
	"export.wallet.foreign":        "Naming somebody else's wallet would be enough to read its money movements.",
	"export.wallet":                "Balances are reconciled by wallet; rows of another wallet make them wrong.",
	"export.order":                 "Readers that stop at a date trust the order; unsorted rows are skipped.",
	"export.filter":                "A statement for one client must hold all of that client's rows and no one else's, or it leaks or lacks money movements.",
	"export.target":                "Whoever acts for another must get that other's rows, and nobody else's: a mix-up shows strangers each other's money.",
	"export.isolation":             "Financial data of one user in another user's file is a breach of confidentiality.",
	"export.observed":              "The document leaves this open, yet programs that read the file come to depend on it; a change shows up when two runs are compared.",

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

	"auth.bearer":              "The token is the only proof of who is asking; each forged one that works opens the whole API.",
	"auth.api_key":             "Keys are still in use while they are phased out; they must be checked as strictly as tokens.",
	"auth.missing":             "A request without proof of identity that is served means that everybody is served.",
	"auth.bearer.empty":        "Whoever sends the header without a token would be served as if there were one.",
	"auth.bearer.garbage":      "Any text would do as a token: the whole API is open to everybody.",
	"auth.bearer.scheme":       "A token under another scheme slips past proxies and logs that look for bearer tokens only.",
	"auth.bearer.expired":      "A stolen token stays useful for ever if its end is not enforced.",
	"auth.bearer.payload":      "Whoever has any token could write another user or more rights into it.",
	"auth.bearer.signature":    "A token could be forged by changing it: only the signature says that the platform issued it.",
	"auth.bearer.alg_none":     "Anybody could write a token without a key, for any user: alg none is the oldest attack on JWTs.",
	"auth.bearer.other_key":    "Anybody could sign tokens of their own, for any user.",
	"auth.api_key.unknown":     "Any text would do as a key: the whole API is open to everybody.",
	"auth.api_key.altered":     "A key that is only compared in part, or whatever its case, is much easier to guess.",
	"auth.api_key.revoked":     "A compromised key is revoked to stop its use; if it still works, nothing stops the thief.",
	"auth.api_key.empty":       "Whoever sends the header without a key would be served as if there were one.",
	"auth.api_key.in_query":    "Addresses end up in logs and histories; a key that works there leaks with them.",
	"auth.missing.before_body": "An answer about the body tells strangers how requests have to look.",
	"auth.export_status":       "Clients renew their credentials on 401; another status leaves them retrying in vain.",
	"auth.confidential":        "A credential that comes back in an answer ends up in logs, where others can use it.",
	"auth.observed":            "The document leaves this open, yet clients come to depend on it; a change shows up when two runs are compared.",
}

// cells say so of the cells of replay protection's table, which each of its modes has.
var cells = map[string]string{
	"first": "Callers that repeat nothing would be refused, and have no way to export.",
	"same":  "A captured request could be sent again, and act twice.",

	"other_body":  "A request that was never sent would be refused as a replay, because its body is not looked at.",
	"other_query": "A request that was never sent would be refused as a replay, because its query is not looked at.",
	"other_user":  "One user's request would keep another user's from being served.",
}

// why says why a rule matters; empty when the catalogue has no word on it.
func why(id string) string {
	if reason, known := cells[id[strings.LastIndexByte(id, '.')+1:]]; known && strings.HasPrefix(id, "replay.") {
		return reason
	}
	for {
		if reason, known := reasons[id]; known {
			return reason
		}
		i := strings.LastIndexByte(id, '.')
		if i < 0 {
			return ""
		}
		id = id[:i]
	}
}

// document is the statement of the API document that a rule verifies; nil for rules of one's own.
func document(rule string) *docs.Statement {
	if s, ok := docs.Of(rule); ok {
		return &s
	}
	return nil
}
