package model

// Origins is a set of what is not shown of a row: whose it is, in which wallet, of which product,
// and whether it is one of those that a deployment leaves out, or adds, for no reason that can be
// told. A file's rows say which origins each can have. One that can have none is not explained.
type Origins uint32

// Owner is whose rows an export asks for.
type Owner int

// Whom the run can ask for.
const (
	OwnerCaller   Owner = iota
	OwnerTarget         // the user of the product whom the caller acts for
	OwnerStranger       // another user
)

// Wallets and products: the default one and another.
const (
	choiceDefault = iota
	choiceOther
)

const allOrigins = Origins(1)<<24 - 1

var originsOfOwner, originsInWallet, originsOfProduct, originsUnexplained = originTables()

// originTables are the origins with each value of each of their parts.
func originTables() (owners [3]Origins, wallets, products [2]Origins, mark Origins) {
	for i := range 24 {
		bit := Origins(1) << i
		owners[i%3] |= bit
		wallets[i/3%2] |= bit
		products[i/6%2] |= bit
		if i/12 == 1 {
			mark |= bit
		}
	}
	return owners, wallets, products, mark
}

// ofDefaultProduct are the rows of a user that belong to the default product.
func ofDefaultProduct(who Owner) Origins {
	return originsOfOwner[who] & originsOfProduct[choiceDefault]
}

// otherUser is a user whose rows the export does not ask for.
func (p *ExportPlan) otherUser() Owner {
	if p.Asked.User == OwnerStranger {
		return OwnerCaller
	}
	return OwnerStranger
}

// KeepNoRows leaves all rows out.
func KeepNoRows(p *ExportPlan) { p.Nothing = true }

// KeepEveryClient ignores the filter.
func KeepEveryClient(p *ExportPlan) {
	p.Client = func(*ObservedQuote, string) bool { return true }
}

// GiveDefaultWallet gives the rows of the default wallet, whichever is asked for.
func GiveDefaultWallet(p *ExportPlan) { p.giveWallets(originsInWallet[choiceDefault]) }

// GiveOtherWallet gives those of another wallet.
func GiveOtherWallet(p *ExportPlan) { p.giveWallets(originsInWallet[choiceOther]) }

// GiveAllWallets gives those of all wallets.
func GiveAllWallets(p *ExportPlan) { p.giveWallets(allOrigins) }

// GiveNoWallet gives those of none.
func GiveNoWallet(p *ExportPlan) { p.giveWallets(0) }

func (p *ExportPlan) giveWallets(some Origins) { p.in = ofDefaultProduct(p.Asked.User) & some }

// GiveForeignWallet gives the rows of another user's default wallet.
func GiveForeignWallet(p *ExportPlan) {
	p.in = ofDefaultProduct(p.otherUser()) & originsInWallet[choiceDefault]
	p.may = originsOfOwner[p.otherUser()] &^ p.in
}

// AddOtherProducts adds the rows of the other products.
func AddOtherProducts(p *ExportPlan) { p.in |= p.in & originsOfProduct[choiceDefault] << 6 }

// AddRowsOf adds the rows of a user.
func (p *ExportPlan) AddRowsOf(who Owner) {
	p.in |= ofDefaultProduct(who)
	p.may &^= ofDefaultProduct(who)
}

// AddOtherUser adds the rows of another user, of either wallet: which of them do not belong to the
// default one is not known.
func AddOtherUser(p *ExportPlan) { p.in |= ofDefaultProduct(p.otherUser()) }

// GiveRowsOf gives the rows of a user in place of those of the user whom the export is for.
func (p *ExportPlan) GiveRowsOf(who Owner) {
	wallet := choiceDefault
	if p.Asked.Wallet == WalletOther {
		wallet = choiceOther
	}
	p.in, p.may = ofDefaultProduct(who)&originsInWallet[wallet], 0
}

// LoseUnexplained leaves rows out for no reason that can be told.
func LoseUnexplained(p *ExportPlan) { p.in &^= originsUnexplained }

// AddUnexplained adds rows for no reason that can be told, whosever they are.
func AddUnexplained(p *ExportPlan) { p.in |= originsUnexplained }

// KeepUnsettledByCreation keeps quotes without a settled date whose creation date is within bounds
// on the settled date.
func KeepUnsettledByCreation(p *ExportPlan) {
	p.Keeps = func(p *ExportPlan, r *ObservedQuote) bool {
		return p.Sort == DateSettled && r.Dates[DateSettled].None &&
			p.isWithinBounds(r, DateCreated, DateCreated) > 0
	}
}
