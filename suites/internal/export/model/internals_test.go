package model

// What the tests look at beside what others use.

const FirstUnexplainedOrigin = 12 // marked origins lie so many bits further

func FloorTo(at, unit int64) int64 { return floorTo(at, unit) }

// OriginOf is the origin of a row of some wallet and product, where nothing marks it.
func OriginOf(who Owner, wallet, product int) Origins {
	return originsOfOwner[who] & originsInWallet[wallet] & originsOfProduct[product] &^ originsUnexplained
}

func (p *ExportPlan) HoldsRow(r *ObservedQuote) bool { return p.holdsRow(r) > 0 }
func (p *ExportPlan) Origins() Origins               { return p.in }

func (u *Universe) PlanOf(q *Query, r Reading) ExportPlan { return r.apply(u.documentedPlan(q)) }

func (h *Hypothesis) Fallback() Fallback { return h.fallback }
func (h *Hypothesis) IsOptional() bool   { return h.optional }

func OriginsOf(who Owner) Origins { return originsOfOwner[who] }
