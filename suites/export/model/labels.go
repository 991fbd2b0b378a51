package model

// Labels is a set of what is not shown of a row: whose it is, in which wallet, of which product,
// and whether it is one of those that a deployment leaves out, or adds, for no reason that can be
// told. A file's rows say which labels each can have. One that can have none is not explained.
type Labels uint32

// Owner is whose rows an export asks for.
type Owner int

// Whom the run can ask for.
const (
	Caller   Owner = iota
	Target         // the user of the product whom the caller acts for
	Stranger       // another user
)

// Wallets and products: the default one and another.
const (
	byDefault = iota
	another
)

const everyLabel = Labels(1)<<24 - 1

var ofOwner, ofWallet, ofProduct, marked = tables()

// tables are the labels with each value of each of their parts.
func tables() (owners [3]Labels, wallets, products [2]Labels, mark Labels) {
	for i := range 24 {
		bit := Labels(1) << i
		owners[i%3] |= bit
		wallets[i/3%2] |= bit
		products[i/6%2] |= bit
		if i/12 == 1 {
			mark |= bit
		}
	}
	return owners, wallets, products, mark
}

// ofAnyProduct adds rows of other products.
func ofAnyProduct(of Labels) Labels { return of | of&ofProduct[byDefault]<<6 }
