package reference

func replayFaults() []definition {
	words := []string{"no replay value", "nonce", "x-transaction-uuid", "x-transaction-uuid&nonce", "nonce&x-transaction-uuid"}
	var all []definition
	for i, mode := range spellingNames {
		rule, with := "replay."+mode, "with "+words[i]+", "
		turned := map[string]string{
			"other_nonce":       "lets a repeat with another nonce pass",
			"other_transaction": "lets a repeat with another transaction ID pass",
			"other_both":        "lets a repeat with both identifiers changed pass",
		}
		if i == 1 || i >= 3 {
			turned["other_nonce"] = "does not compare the nonce"
			turned["other_both"] = "compares no identifier"
		}
		if i >= 2 {
			turned["other_transaction"] = "does not compare the transaction ID"
			turned["other_both"] = "compares no identifier"
		}
		all = append(all,
			switched(rule+".same", rule+".same", with+"never blocks"),
			switched(rule+".other_nonce", rule+".other_nonce", with+turned["other_nonce"]),
			switched(rule+".other_transaction", rule+".other_transaction", with+turned["other_transaction"]),
			switched(rule+".other_both", rule+".other_both", with+turned["other_both"]),
			switched(rule+".other_body", rule+".other_body", with+"does not compare the body"),
			switched(rule+".other_query", rule+".other_query", with+"does not compare the query"),
			switched(rule+".other_user", rule+".other_user", with+"does not compare the user"),
			switched(rule+".not_atomic", "replay.race."+mode, with+"lets several of many equal requests at once pass"),
			switched(rule+".first_blocked", rule+".first", with+"blocks every request"),
		)
		if i > 0 {
			all = append(all, switched(rule+".last_only", rule+".same", with+"remembers only the last identifiers of a group"))
		}
		if i >= 3 {
			all = append(all,
				switched(rule+".last_nonce_only", rule+".same", with+"remembers only the last nonce of a transaction ID"),
				switched(rule+".identifiers_apart", rule+".other_nonce", with+"blocks two identifiers that were seen, though never together"),
			)
		}
	}
	const none = "replay.none"
	all = append(all,
		switched(none+".body_dates_only", none+".other_body", "with no replay value, compares only the dates of bodies"),
		switched(none+".body_without_text", none+".other_body", "with no replay value, does not compare the filter text of bodies"),
		switched(none+".body_without_sort", none+".other_body", "with no replay value, does not compare the sort of bodies"),
		switched(none+".body_without_order", none+".other_body", "with no replay value, does not compare the order of bodies"),
		switched(none+".body_without_end", none+".other_body", "with no replay value, does not compare the end of bodies"),
		switched(none+".body_in_lower_case", none+".other_body", "with no replay value, compares bodies without regard to case"),
		switched(none+".query_keys", none+".other_query", "with no replay value, compares only the keys of queries"),
		switched(none+".language_compared", none+".same", "with no replay value, compares the language, too"),
		switched(none+".agent_compared", none+".same", "with no replay value, compares the user agent, too"),
	)
	return append(all,
		switched("replay.forgets_after_a_second", "replay.late", "forgets a request after a second"),
		switched("replay.keeps_the_last_50", "replay.late", "remembers the last fifty requests only"),
		switched("replay.block_answered_200", "replay.blocked_is_4xx", "answers a block with 200 and an error inside"),
		switched("replay.block_answered_500", "replay.blocked_is_4xx", "answers a block with a server error"),
		switched("replay.block_answered_302", "replay.blocked_is_4xx", "answers a block with a redirect"),
		switched("replay.block_drops_connection", "replay.blocked_is_4xx", "drops the connection of a request that it blocks"),
	)
}
