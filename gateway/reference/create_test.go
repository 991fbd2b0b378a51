package reference

import (
	"testing"

	"github.com/gateassay/gateassay/internal/testmust"
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
		testmust.Equal(t, g.createText(jsonOf(person), c.headers...).Code, c.want, name)
	}
	apart := try(t, Choices{Readings: []string{"target-apart"}})
	testmust.Equal(t, apart.createText(jsonOf(apart.person()), target...).Code,
		400, "a target user who may not use the shareholder")
}
