package reference

// exportDateFaults are about dates and bounds that only some exports have.
func exportDateFaults() []definition {
	const precision, follows = "export.range.precision", "export.range.follows_sort"
	return []definition{
		switched("export.success.whole_seconds_rejected", "export.success", "refuses bounds without a fraction"),
		switched("export.range.digits_as_milliseconds", precision, "takes the digits of a fraction for a count of milliseconds"),
		switched("export.range.another_day", "export.range.offset", "forgets that an offset may change the day"),
		switched("export.range.asc_by_created", follows, "applies bounds to quote_created_at when the oldest come first"),
		switched("export.range.alone_by_created", follows, "applies a bound that stands alone to quote_created_at"),
		switched("export.range.wallet_by_created", follows, "applies bounds to quote_created_at when a wallet is given"),
		switched("export.range.undated_kept", follows, "keeps quotes without a settled date within bounds on it"),
		switched("export.range.undated_kept_before", follows, "keeps quotes without a settled date before an end that stands alone"),
		switched("export.isolation.broken_settled_asc", "export.isolation", "gives the quotes of every legal person by settled_date, oldest first"),
		switched("export.wallet.ignored_settled_asc", "export.wallet.selects", "ignores the wallet by settled_date, oldest first"),
	}
}
