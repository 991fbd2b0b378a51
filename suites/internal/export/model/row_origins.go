package model

// Origins is a set of what files do not show of a row: its owner, wallet and product, and
// whether it is one of the rows that a deployment drops or adds for no discernible reason (the
// unexplained ones). The exports narrow the origins that a row can have. A row left with none
// contradicts the reading.
type Origins uint32

// Owner is the user whose rows an export asks for.
type Owner int

// The owners that a run can ask for.
const (
	OwnerCaller   Owner = iota
	OwnerTarget         // the product's target user, for whom the caller acts
	OwnerStranger       // another user
)

// Wallets and products: the default and any other.
const (
	choiceDefault = iota
	choiceOther
)

const allOrigins = Origins(1)<<24 - 1

var originsOfOwner, originsInWallet, originsOfProduct, originsUnexplained = originTables()

// originTables returns the origins of each owner, wallet and product, and the unexplained ones
// (mark).
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

// ofDefaultProduct returns the origins of a user's rows in the default product.
func ofDefaultProduct(who Owner) Origins {
	return originsOfOwner[who] & originsOfProduct[choiceDefault]
}

// otherUser returns a user whose rows the export does not ask for.
func (p *ExportPlan) otherUser() Owner {
	if p.Asked.User == OwnerStranger {
		return OwnerCaller
	}
	return OwnerStranger
}

// KeepNoRows makes an export hold no rows.
func KeepNoRows(p *ExportPlan) { p.Empty = true }

// KeepEveryClient makes an export ignore the client filter.
func KeepEveryClient(p *ExportPlan) {
	p.Client = func(*ObservedQuote, string) bool { return true }
}

// GiveAnything lets an export hold any rows, of any user and client, and requires none.
func GiveAnything(p *ExportPlan) {
	KeepEveryClient(p)
	p.in, p.may = 0, allOrigins
}

// GiveDefaultWallet makes an export hold the rows of the default wallet, whichever it names.
func GiveDefaultWallet(p *ExportPlan) { p.giveWallets(originsInWallet[choiceDefault]) }

// GiveOtherWallet makes an export hold the rows of the other wallet, whichever it names.
func GiveOtherWallet(p *ExportPlan) { p.giveWallets(originsInWallet[choiceOther]) }

// GiveAllWallets makes an export hold the rows of all wallets, whichever it names.
func GiveAllWallets(p *ExportPlan) { p.giveWallets(allOrigins) }

// GiveNoWallet makes an export hold the rows of no wallet, whichever it names.
func GiveNoWallet(p *ExportPlan) { p.giveWallets(0) }

// giveWallets replaces the rows of the user asked for with those of some wallets.
func (p *ExportPlan) giveWallets(some Origins) {
	p.in = p.in&^originsOfOwner[p.Asked.User] | ofDefaultProduct(p.Asked.User)&some
}

// GiveForeignWallet makes an export hold the rows of another user's default wallet.
func GiveForeignWallet(p *ExportPlan) {
	p.in = ofDefaultProduct(p.otherUser()) & originsInWallet[choiceDefault]
	p.may = originsOfOwner[p.otherUser()] &^ p.in
}

// AddOtherProducts adds the rows of the other products.
func AddOtherProducts(p *ExportPlan) { p.in |= p.in & originsOfProduct[choiceDefault] << 6 }

// AddRowsOf adds a user's rows of the default product.
func (p *ExportPlan) AddRowsOf(who Owner) {
	p.in |= ofDefaultProduct(who)
	p.may &^= ofDefaultProduct(who)
}

// AddOtherUser adds another user's rows of both wallets: it is not known which of them lie
// outside the default wallet.
func AddOtherUser(p *ExportPlan) { p.in |= ofDefaultProduct(p.otherUser()) }

// GiveRowsOf replaces the rows of the user asked for with a user's rows.
func (p *ExportPlan) GiveRowsOf(who Owner) {
	p.in, p.may = ofDefaultProduct(who)&p.Asked.walletOrigins(), 0
}

// LoseUnexplained drops rows for no discernible reason.
func LoseUnexplained(p *ExportPlan) { p.in &^= originsUnexplained }

// AddUnexplained adds rows of other users for no discernible reason: those of the default product
// and wallet, as an export of these users shows whose they are.
func AddUnexplained(p *ExportPlan) {
	p.in |= originsUnexplained & originsOfProduct[choiceDefault] & originsInWallet[choiceDefault] &^
		originsOfOwner[p.Asked.User]
}

// KeepUnsettledByCreation keeps quotes without a settled date whose creation date lies within
// bounds on the settled date.
func KeepUnsettledByCreation(p *ExportPlan) {
	p.Keeps = func(p *ExportPlan, r *ObservedQuote) bool {
		return p.Sort == DateSettled && r.Dates[DateSettled].None &&
			p.isWithinBounds(r, DateCreated, DateCreated) > 0
	}
}
