package record

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gateassay/gateassay/gateway/rules"
)

// replays are the families of replay protection: what is not enforced, and what is not compared.
func replays() (list []family) {
	const lost = "Replay protection does not compare the "
	var all, races, implied, pass []string
	var nonces, transactions []string // what an identifier that is looked at by itself blocks
	var modes []family
	differing := map[string][]string{} // the rules about each way to differ, one of each mode
	for _, m := range rules.Modes() {
		in, race, mode := "replay."+m.Name+".", "replay.race."+m.Name, cmp.Or(m.Header, "no replay value")
		var blocked []string
		for _, cell := range rules.Cells() {
			if m.Blocks(cell) {
				blocked = append(blocked, in+cell.Name)
			}
			differing[cell.Name] = append(differing[cell.Name], in+cell.Name)
		}
		nonces = append(nonces, in+"other_body", in+"other_query")
		transactions = append(transactions, in+"other_body", in+"other_query")
		if m.Nonce {
			transactions = append(transactions, in+"other_nonce")
		}
		if m.Transaction {
			nonces = append(nonces, in+"other_transaction")
		}
		also := []string{"replay.mode.both_spellings under " + mode + " of "}
		others := "replay.none.other_headers with " + mode + " that"
		switch m.Name {
		case "none":
			also = append(also, others, "replay.method.same_user the API key of")
		case "nonce":
			also = append(also, others, "replay.method.same_user nonce included")
			pass = append(pass, in+"other_nonce", in+"other_both")
			modes = append(modes, whole("4", lost+"nonce in the mode of that name", in+"other_nonce", in+"other_both"))
		case "transaction":
			pass = append(pass, in+"other_transaction", in+"other_both")
			modes = append(modes, whole("4", lost+"transaction ID in the mode of that name", in+"other_transaction",
				in+"other_both"))
		default:
			each := []string{in + "other_nonce", in + "other_transaction", in + "other_both"}
			pass = append(pass, each...)
			modes = append(modes,
				whole("4", "Replay protection compares neither identifier with "+mode, each...),
				whole("4", "Requests are blocked when either identifier repeats, with "+mode, each[:2]...),
				whole("4", lost+"transaction ID with "+mode, in+"other_transaction",
					in+"other_nonce mixes the identifiers"),
				whole("", "Identifiers are compared separately with "+mode+": a mix of those of two requests is blocked",
					in+"other_nonce mixes the identifiers"+says+"is blocked",
					"replay.mode.both_spellings blocks a repeat under "+mode+" of"+says+"is not blocked"))
		}
		modes = append(modes, whole("", "", in+"first"+says+"together refused",
			"export.success"+says+"replay-protection "+mode+" together refused"))
		all, races, implied = append(all, blocked...), append(races, race), append(implied, also...)
		late := "replay.late with " + mode + "$"
		modes = append(modes, family{
			headline: "Replay protection is not enforced with " + mode + ": repeats are accepted",
			rules:    append(blocked, race, late), core: len(blocked), also: also,
		}, whole("", "", in+"same twice$", race))
	}
	list = append(list, family{
		headline: "Replay protection is not enforced: repeats are accepted in every mode",
		rules:    slices.Concat(all, races, []string{"replay.late"}), core: len(all), also: implied,
	}, whole("4", "Replay protection ignores its header: no other identifier lets a request pass", pass...))
	var plain, beside, forgotten []string
	for _, m := range rules.Modes() {
		plain = append(plain, "replay."+m.Name+".same that repeats everything$")
		beside = append(beside, "replay."+m.Name+".same"+says+", only with ")
		if m.Name != "none" {
			forgotten = append(forgotten, "replay."+m.Name+".same after others")
		}
	}
	const forgets = "Replay protection forgets: a request is accepted again after others"
	further := []string{
		"replay.*.same", "replay.late", "replay.race.*", "replay.mode.both_spellings", "replay.method.same_user",
	}
	list = append(list,
		whole("2", forgets, "replay.*"+says+"only after ").with(further...),
		whole("2", "Repeats are not blocked, in any mode", plain...).with(further...),
		whole("2", "Repeats are not blocked", beside...).with(further...),
		whole("2", forgets, forgotten...).with(further...))
	for _, part := range []struct {
		name    string
		blocked []string
	}{{"transaction ID", transactions}, {"nonce", nonces}} {
		list = append(list, whole("4", "A "+part.name+" that was seen before is blocked, whatever else differs",
			part.blocked...).with("replay.*.other_user", "replay.*.first", "replay.mode.*"))
	}
	list = append(append(list, modes...),
		whole("", "Replay protection lets identical requests at once through, in every mode", races...))
	for _, part := range []string{"body", "query", "user"} {
		list = append(list, whole("4", lost+part+": requests that differ in it are blocked, in every mode",
			differing["other_"+part]...))
	}
	const none = "replay.none.other_"
	const compared = "Without a replay value, the %s compared: a repeat under %s is accepted"
	return slices.Concat(list, []family{
		whole("4", lost+"body without a replay value", none+"body", "replay.none.first"),
		whole("2", "The nonce is always compared, whatever the mode: a repeat under another is accepted", none+"nonce",
			none+"both", "replay.transaction.other_nonce"),
		whole("2", "The transaction ID is always compared, whatever the mode: a repeat under another is accepted",
			none+"transaction", none+"both", "replay.nonce.other_transaction"),
		whole("2", fmt.Sprintf(compared, "identifiers are", "others"), none+"nonce", none+"transaction", none+"both"),
		whole("2", fmt.Sprintf(compared, "nonce is", "another"), none+"nonce", none+"both"),
		whole("2", fmt.Sprintf(compared, "transaction ID is", "another"), none+"transaction", none+"both"),
		whole("", "The modes nonce and x-transaction-uuid are swapped: each compares the other identifier",
			"replay.nonce.other_nonce", "replay.nonce.other_transaction", "replay.transaction.other_nonce",
			"replay.transaction.other_transaction").with("replay.mode.*"),
	}, leading(nil, "replay.nonce.other_nonce one digit", "replay.transaction_nonce.other_nonce one digit"),
		leading(nil, "replay.transaction.other_transaction one digit",
			"replay.nonce_transaction.other_transaction one digit"))
}
