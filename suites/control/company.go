package control

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// A rule holds whatever stands beside it: optional headers, the other method of authentication, another qualification,
// further fields of an export's body. Trying each rule beside each of them would multiply the requests of a run. So they
// go in company: the seed spreads them over two rows, and requests that are sent anyway carry a row, or none.

// Partner is something optional that stands beside a request.
type Partner struct {
	Name   string // as messages show it
	Create func(*target.Creation)
	Export func(*target.ExportCall)
}

// Company is partners that the deployment accepts together beside a valid request.
type Company []Partner

func (c Company) String() string {
	names := make([]string, len(c))
	for i, p := range c {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

// Only says that a defect takes these partners, the first two by name.
func (c Company) Only() string {
	if len(c) <= 2 {
		return "only with " + c.String()
	}
	return fmt.Sprintf("only with %s and %d more", c[:2], len(c)-2)
}

func (c Company) label() string {
	if len(c) == 0 {
		return ""
	}
	return ", beside " + c.String()
}

// Create adds the company to a creation.
func (c Company) Create(x *target.Creation) {
	for _, p := range c {
		p.Create(x)
	}
}

// Export adds the company to an export.
func (c Company) Export(x target.ExportCall) target.ExportCall {
	for _, p := range c {
		p.Export(&x)
	}
	return x
}

// Row is a company that requests can carry.
type Row int

// The rows. Each partner stands in one of the two others.
const (
	Plain Row = iota
	First
	Second
	rows
)

// Rows lists, for each of n requests of a rule, the rows that it goes in. Together they meet every row where the rule is
// thorough or n is large enough, those with partners first; which request meets which is up to the seed.
func (c *Controls) Rows(rule string, n int, thorough bool) [][]Row {
	order, rng := []Row{First, Second, Plain}, c.t.Chance("rows of "+rule)
	if rng.IntN(2) == 0 {
		order = []Row{Second, First, Plain}
	}
	if n == 1 {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	list := make([][]Row, n)
	for i := range max(n, len(order)) {
		if i < n || thorough {
			list[i%n] = append(list[i%n], order[i%len(order)])
		}
	}
	if thorough && n > len(order)+1 { // of many, the first is the commonest defect of its kind
		list[0] = []Row{First, Second}
	}
	for _, own := range list {
		slices.Sort(own) // the plain request first: where it fails, nothing else is needed
	}
	return list
}

// spread assigns the partners that the deployment file has values for to the two rows.
func (c *Controls) spread(op client.Operation) (spread [rows]Company) {
	f, all, headers := c.t.Deployment.Fixtures, c.t.Deployment.Credentials, c.t.Deployment.LegalRepresentative.Headers
	rng := c.t.Chance("partners of " + string(op))
	either := func() Row { return First + Row(rng.IntN(2)) }
	other := func(r Row) Row { return First + Second - r }
	add := func(r Row, p Partner) { spread[r] = append(spread[r], p) }

	language := func(value string) Partner {
		return Partner{
			Name: headers.Language + " " + value, Create: func(c *target.Creation) { c.Language = value },
			Export: func(c *target.ExportCall) { *c = c.Set(target.HeaderLanguage, value) },
		}
	}
	english, user := either(), either()
	add(english, language("en-US"))
	add(other(english), language("pt-BR"))
	product := Partner{
		Name: target.HeaderProduct, Create: func(c *target.Creation) { c.Product = f.ProductID },
		Export: func(c *target.ExportCall) { *c = c.Set(target.HeaderProduct, f.ProductID) },
	}
	if f.ProductID != "" {
		add(other(user), product)
	}
	if f.ProductID != "" && f.TargetUserID != "" && op != client.File { // that is another user's file
		add(user, product)
		add(user, Partner{Name: headers.OnBehalfOf, Create: c.onBehalf, Export: func(c *target.ExportCall) {
			*c = c.Set(target.HeaderProduct, f.ProductID).Set(target.HeaderTarget, f.TargetUserID)
		}})
	}
	if all.PlatformToken != nil && all.APIKey != nil {
		add(either(), Partner{
			Name: "x-api-key", Create: func(c *target.Creation) { c.Credential = all.APIKey },
			Export: func(c *target.ExportCall) { c.Credential = all.APIKey },
		})
	}
	if op == client.File {
		if f.DefaultWalletID != "" {
			add(other(user), walletPartner(f.DefaultWalletID))
		}
		return spread
	}
	if op == client.Create {
		attorney := either()
		for r, value := range map[Row]string{attorney: "ATTORNEY", other(attorney): "OTHER"} {
			add(r, Partner{Name: "the qualification " + value, Create: func(c *target.Creation) {
				*c = c.With("qualification", value)
			}})
		}
		return spread
	}
	field := func(r Row, values ...string) {
		add(r, Partner{Name: strings.Join(values, " "), Export: func(c *target.ExportCall) {
			for i := 0; i < len(values) && c.Fields != nil; i += 2 {
				c.Fields = c.Fields.With(values[i], values[i+1])
			}
		}})
	}
	if f.OtherWalletID != "" {
		add(other(user), walletPartner(f.OtherWalletID))
	}
	if f.ClientID != "" {
		field(either(), "filter_type", "client_id", "filter_text", f.ClientID)
	}
	field(either(), "sort", "settled_date")
	field(either(), "order", "asc")
	field(either(), "type_extension", "CSV")
	return spread
}

func walletPartner(id string) Partner {
	return Partner{Name: target.HeaderWallet, Export: func(c *target.ExportCall) { *c = c.Set(target.HeaderWallet, id) }}
}

// FileRow is the partners of a row beside which an export should hold the same quotes.
func (c *Controls) FileRow(r Row) Company { return c.spread(client.File)[r] }

// Drop notes why a partner stands beside nothing.
func (c *Controls) Drop(why string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dropped = append(c.dropped, fmt.Sprintf(why, args...))
}

// onBehalf makes a creation one for the target user of the fixtures.
func (c *Controls) onBehalf(x *target.Creation) {
	f := c.t.Deployment.Fixtures
	x.Product, x.OnBehalfOf = f.ProductID, f.TargetUserID
	if f.TargetUserShareholderID != "" {
		*x = x.With("shareholder_id", f.TargetUserShareholderID)
	}
}

// declareCompanies declares the twins of the rows: a valid request in each company.
func (c *Controls) declareCompanies(p *spec.Plan) {
	for _, op := range []client.Operation{client.Create, client.Export} {
		for r, wanted := range c.spread(op) {
			name := fmt.Sprintf("a valid %s beside its company %d", op, r)
			c.companies[op] = append(c.companies[op], spec.Observe(p, name, func(ctx context.Context) (Company, error) {
				return c.joined(ctx, op, wanted), nil
			}))
		}
	}
}

// joined is as much of a company as the deployment accepts. Partners that a valid request is refused beside are noted
// and left out: no rule is judged by them.
func (c *Controls) joined(ctx context.Context, op client.Operation, wanted Company) (kept Company) {
	valid := func(with Company) bool {
		var a target.Answer
		var err error
		if op == client.Create {
			a, err = c.Creations(ctx, target.AboutCaller, with, func(x target.Creation) target.Creation {
				x.Label = "valid creation"
				return x
			})
		} else {
			a, err = c.Exports(ctx, target.AboutCaller, with, func(x target.ExportCall) target.ExportCall {
				x.Label = "valid export"
				return x
			})
		}
		return err == nil && a.Success()
	}
	if len(wanted) == 0 || valid(wanted) {
		return wanted
	}
	for _, p := range wanted {
		if with := append(slices.Clone(kept), p); valid(with) {
			kept = with
		} else if ctx.Err() == nil {
			c.Drop("a valid %s is refused beside %s, so no rule was judged by it", op, p.Name)
		}
	}
	return kept
}

// Dropped names the partners that the deployment does not accept.
func (c *Controls) Dropped() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.dropped)
}

// Company is as much of a row as the deployment accepts.
func (c *Controls) Company(ctx context.Context, op client.Operation, r Row) Company {
	company, _ := c.companies[op][r].Get(ctx)
	return company
}

// Beside acts in one row after the other until what is found is not right, and then looks for the partner that it takes:
// only says so. What cannot be seen in company is seen without it.
func Beside[T any](ctx context.Context, c *Controls, op client.Operation, in []Row, right func(T) bool,
	act func(Company) (T, error),
) (found T, only string, err error) {
	for _, r := range in {
		company := c.Company(ctx, op, r)
		if found, err = act(company); err != nil && len(company) > 0 && ctx.Err() == nil {
			company = nil
			found, err = act(nil)
		}
		switch {
		case err != nil || right(found):
		case len(company) > 0:
			found, only = blame(company, found, right, act)
			return found, only, nil
		default:
			return found, "", nil
		}
		if err != nil {
			return found, "", err
		}
	}
	return found, "", nil
}

// blame finds out which partner it takes for what is not right: none, one, or all of them together.
func blame[T any](company Company, found T, right func(T) bool, act func(Company) (T, error)) (T, string) {
	plain, err := act(nil)
	if err != nil {
		return found, ""
	}
	if !right(plain) {
		return plain, ""
	}
	for _, p := range company {
		if alone, err := act(Company{p}); err == nil && !right(alone) {
			return alone, "only with " + p.Name
		}
	}
	return found, company.Only()
}

// Answer is Beside for a single request.
func (c *Controls) Answer(ctx context.Context, op client.Operation, in []Row, right func(target.Answer) bool,
	act func(Company) (target.Answer, error),
) (target.Answer, error) {
	a, only, err := Beside(ctx, c, op, in, right, act)
	a.Only = only
	return a, err
}
