package reference

import (
	"testing"
)

func TestWhoMayUseAShareholder(t *testing.T) {
	g := try(t, Choices{})
	target := []string{
		"x-product-uuid", g.data.main.person.products[0], "x-product-target-user-uuid",
		g.data.target.id,
	}
	key := []string{"Authorization", "-", "x-api-key", g.tokens.apiKey}
	for name, c := range map[string]struct {
		shareholder string
		headers     []string
		want        int
	}{
		"own, by key":         {g.data.shareholder, key, 201},
		"own, on behalf":      {g.data.shareholder, target, 201},
		"foreign, by key":     {g.data.foreignShareholder, key, 400},
		"foreign, in product": {g.data.foreignShareholder, target[:2], 400},
		"foreign, on behalf":  {g.data.foreignShareholder, target, 400},
		"in another product": {
			g.data.shareholder, []string{"x-product-uuid", g.data.main.person.products[1]}, 201,
		},
		"revoked key": {
			g.data.shareholder, []string{"Authorization", "-", "x-api-key", g.tokens.revokedKey}, 401,
		},
	} {
		person := g.person()
		person["shareholder_id"] = c.shareholder
		if w := g.createText(jsonOf(person), c.headers...); w.Code != c.want {
			t.Errorf("%s: %d, want %d", name, w.Code, c.want)
		}
	}
	apart := try(t, Choices{Readings: []string{"target-apart"}})
	if w := apart.createText(jsonOf(apart.person()), target...); w.Code != 400 {
		t.Errorf("a target user who may not use the shareholder: %d", w.Code)
	}
}
