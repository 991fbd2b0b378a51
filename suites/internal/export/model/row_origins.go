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

// withAllProducts adds rows of other products.
func withAllProducts(of Origins) Origins { return of | of&originsOfProduct[choiceDefault]<<6 }
