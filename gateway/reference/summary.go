package reference

// Entry is one line of a summary.
type Entry struct{ Name, Value string }

// Summary lists the gateway's test credentials and fixtures, for somebody who tries it by hand.
func (g *Gateway) Summary() (credentials, fixtures []Entry) {
	d := g.data
	credentials = []Entry{{"platform_token", g.tokens.main}}
	if !g.choices.NoAPIKey {
		credentials = append(credentials, Entry{"api_key", g.tokens.apiKey}, Entry{"revoked_api_key", g.tokens.revokedKey})
	}
	credentials = append(credentials,
		Entry{"expired_token", g.tokens.expired}, Entry{"unprivileged", g.tokens.unprivileged}, Entry{
			"other_user",
			g.tokens.other,
		})
	fixtures = []Entry{
		{"shareholder_id", d.shareholder},
		{"foreign_shareholder_id", d.foreignShareholder},
		{"product_id", d.main.person.products[0]},
		{"target_user_id", d.target.id},
		{"default_wallet_id", d.main.person.wallets[0]},
		{"other_wallet_id", d.main.person.wallets[1]},
		{"client_id", d.client},
		{"window", d.window[0].Format(dateTimeMillis) + " to " + d.window[1].Format(dateTimeMillis)},
	}
	return credentials, fixtures
}
