package rules

// Mode is one of the documented values of the replay protection header.
type Mode struct {
	Name        string // in rule IDs
	Header      string // value of x-include-replay-protection-schema; empty: the header is absent
	Nonce       bool   // the nonce is compared with the group
	Transaction bool   // the transaction ID is compared with the group
}

// Modes lists the five spellings of replay protection.
func Modes() []Mode {
	return []Mode{
		{"none", "", false, false},
		{"nonce", "nonce", true, false},
		{"transaction", "x-transaction-uuid", false, true},
		{"transaction_nonce", "x-transaction-uuid&nonce", true, true},
		{"nonce_transaction", "nonce&x-transaction-uuid", true, true},
	}
}

// Cell is one way to repeat a request.
type Cell struct {
	Name string // in rule IDs
	// What differs from the first request.
	Nonce, Transaction, Body, Query, User bool
	Words                                 string // "a repeat that ..."
}

// Cells lists the ways to repeat a request.
func Cells() []Cell {
	return []Cell{
		{Name: "same", Words: "repeats everything"},
		{Name: "other_nonce", Nonce: true, Words: "changes only the nonce"},
		{Name: "other_transaction", Transaction: true, Words: "changes only the transaction ID"},
		{Name: "other_both", Nonce: true, Transaction: true, Words: "changes both identifiers"},
		{Name: "other_body", Body: true, Words: "keeps the identifiers with another body"},
		{Name: "other_query", Query: true, Words: "keeps identifiers and body with another query"},
		{Name: "other_user", User: true, Words: "comes from another user"},
	}
}

// Blocks is the truth table of replay protection: a repeat is blocked when the compared group { method, params, path,
// query, body, userId } and every identifier that the mode compares are the same. With both identifiers compared, one
// that differs is enough to pass.
func (m Mode) Blocks(c Cell) bool {
	if c.Body || c.Query || c.User {
		return false
	}
	return !(m.Nonce && c.Nonce) && !(m.Transaction && c.Transaction)
}

// replayTable: each mode with each way to repeat.
func replayTable() []Rule {
	var table []Rule
	for _, m := range Modes() {
		value := "Without a replay protection value, "
		if m.Header != "" {
			value = "With " + m.Header + ", "
		}
		table = append(table, must("replay."+m.Name+".first", sectionExport, value+"a request that repeats no earlier one passes."))
		for _, c := range Cells() {
			outcome := " passes."
			if m.Blocks(c) {
				outcome = " is blocked."
			}
			r := must("replay."+m.Name+"."+c.Name, sectionExport, value+"a request that "+c.Words+outcome)
			if c.User {
				r.Needs = []string{needOtherUser}
			}
			table = append(table, r)
		}
	}
	return table
}

// replayFurther: memory, atomicity and the form of a block.
func replayFurther() []Rule {
	var family []Rule
	for _, m := range Modes() {
		value := "without a value"
		if m.Header != "" {
			value = "with " + m.Header
		}
		family = append(family, must("replay.race."+m.Name, sectionExport, "Of identical requests sent at once "+value+", exactly one is accepted."))
	}
	return append(family,
		must("replay.late", sectionExport, "The first request of a run is still blocked when it is repeated as the last."),
		must("replay.blocked_is_4xx", sectionExport, "A blocked request is answered with a 4xx."),
	)
}

// replayObserved: what the document leaves open about replay protection.
func replayObserved() []Rule {
	return []Rule{
		observe("replay.observed.block_status", sectionExport, "Status and body of a block."),
		observe("replay.observed.rejected_counts", sectionExport, "Whether a request that was rejected counts as an earlier one."),
		observe("replay.observed.blocked_counts", sectionExport, "Whether a request that was blocked counts as an earlier one."),
		observe("replay.observed.cross_mode", sectionExport, "Whether one mode sees requests of another."),
		observe("replay.observed.key_order", sectionExport, "Whether another order of keys makes another body."),
		observe("replay.observed.white_space", sectionExport, "Whether other white space makes another body."),
		observe("replay.observed.value_case", sectionExport, "The replay protection value in upper case."),
		observe("replay.observed.empty_value", sectionExport, "An empty replay protection value."),
		observe("replay.observed.no_transaction", sectionExport, "The transaction mode without a transaction ID."),
	}
}
