package rules

// ReplayMode is a documented value of the replay protection header.
type ReplayMode struct {
	Name        string // in rule IDs
	Header      string // value of x-include-replay-protection-schema; empty: the header is absent
	Nonce       bool   // the nonce is compared, too
	Transaction bool   // the transaction ID is compared, too
}

// ReplayModes lists the five modes of replay protection.
func ReplayModes() []ReplayMode {
	return []ReplayMode{
		{"none", "", false, false},
		{"nonce", "nonce", true, false},
		{"transaction", "x-transaction-uuid", false, true},
		{"transaction_nonce", "x-transaction-uuid&nonce", true, true},
		{"nonce_transaction", "nonce&x-transaction-uuid", true, true},
	}
}

// RepeatKind is a way to repeat a request.
type RepeatKind struct {
	Name string // in rule IDs
	// What differs from the first request.
	Nonce, Transaction, Body, Query, User bool
	Words                                 string // "a repeat that ..."
}

// RepeatKinds lists the ways to repeat a request.
func RepeatKinds() []RepeatKind {
	return []RepeatKind{
		{Name: "same", Words: "repeats everything"},
		{Name: "other_nonce", Nonce: true, Words: "changes only the nonce"},
		{Name: "other_transaction", Transaction: true, Words: "changes only the transaction ID"},
		{Name: "other_both", Nonce: true, Transaction: true, Words: "changes both identifiers"},
		{Name: "other_body", Body: true, Words: "changes only the body"},
		{Name: "other_query", Query: true, Words: "changes only the query"},
		{Name: "other_user", User: true, Words: "comes from another user"},
	}
}

// Blocks implements the truth table of replay protection. A repeat is blocked if the group {
// method, params, path, query, body, userId } and every identifier that the mode compares are
// the same. If both identifiers are compared, one difference suffices to pass.
func (m ReplayMode) Blocks(c RepeatKind) bool {
	if c.Body || c.Query || c.User {
		return false
	}
	return !(m.Nonce && c.Nonce) && !(m.Transaction && c.Transaction)
}
