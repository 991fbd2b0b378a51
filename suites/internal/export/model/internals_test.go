package model

// Internals that the tests use.

const FirstUnexplainedOrigin = 12 // marked origins are shifted by this many bits

func FloorTo(at, unit int64) int64 { return floorTo(at, unit) }

// OriginOf returns the origin of an unmarked row of an owner, wallet and product.
func OriginOf(who Owner, wallet, product int) Origins {
	return originsOfOwner[who] & originsInWallet[wallet] & originsOfProduct[product] &^ originsUnexplained
}

func (p *ExportPlan) HoldsRow(r *ObservedQuote) bool { return p.holdsRow(r) > 0 }
func (p *ExportPlan) Origins() Origins               { return p.in }

func (u *Universe) PlanOf(q *Query, r Reading) ExportPlan { return r.apply(u.documentedPlan(q)) }

func (h *Hypothesis) Fallback() Fallback { return h.fallback }
func (h *Hypothesis) IsOptional() bool   { return h.optional }

func OriginsOf(who Owner) Origins { return originsOfOwner[who] }
