package shop

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Product is an article of the catalogue. Amounts are in fen or cents.
type Product struct {
	ID       int
	SKU      string
	Name     string
	Brand    string
	Currency string // CNY or USD
	Price    int64  // that a customer pays without a membership; 0 if the shop does not say
	Most     int64  // the highest price, where it depends on the choice
	From     bool   // Price is the lowest, and the highest is not said
	Was      int64  // the price before the sale; 0 if there is none
	Market   int64  // the price that is recommended
	Member   int64  // the price for members; 0 if there is none
	Unit     int64  // the price for 100 g; 0 if it is not sold by weight
	Shipping int64
	Stock    int
	Sales    int
	Reviews  int

	department *department
	kind       string
	rng        *rand.Rand
}

// catalogue makes all products. The same products come out each time.
func catalogue() []*Product {
	var all []*Product
	for i := range departments {
		d := &departments[i]
		for n := range perDepartment {
			all = append(all, d.product(n, 1001+len(all)))
		}
	}
	return all
}

func (d *department) product(n, id int) *Product {
	rng := rand.New(rand.NewPCG(hash(d.slug), uint64(n)))
	p := &Product{ID: id, SKU: fmt.Sprintf("%s%06d", d.code, 7*id+310), Currency: "CNY", department: d, rng: rng}
	pick := func(words []string) string { return words[rng.IntN(len(words))] }
	percent := func(share int) bool { return rng.IntN(100) < share }

	p.Brand, p.kind = pick(d.brands), d.kinds[n%len(d.kinds)]
	model := fmt.Sprintf("%c%c-%d%s", 'A'+rng.IntN(26), 'A'+rng.IntN(26), 10+n, pick([]string{"", "", "S", " Pro", "X"}))
	trait := d.traits[n/len(d.kinds)]
	switch {
	case d.english:
		p.Currency = "USD"
		p.Name = fmt.Sprintf("%s %s %s, %s", p.Brand, trait, p.kind, pick(d.choices))
	case strings.HasPrefix(p.kind, "《"):
		p.Name = fmt.Sprintf("%s %s %s %s", p.kind, trait, pick(d.choices), p.Brand)
	case percent(25):
		p.Name = fmt.Sprintf("%s%s%s %s %s", p.Brand, trait, p.kind, model, pick(d.choices))
	case percent(15):
		p.Name = fmt.Sprintf("【%s】%s %s %s%s %s", pick([]string{"顺丰包邮", "新品", "官方正品"}), p.Brand, model, trait, p.kind, pick(d.choices))
	default:
		p.Name = fmt.Sprintf("%s %s %s%s %s", p.Brand, model, trait, p.kind, pick(d.choices))
	}
	p.prices(d, percent)
	p.Stock = 1 + rng.IntN(400)
	if percent(7) {
		p.Stock = 0
	}
	p.Sales = rng.IntN(60) * rng.IntN(60) * (1 + rng.IntN(9))
	if !percent(12) {
		p.Reviews = p.Sales / (3 + rng.IntN(9))
	}
	return p
}

// prices sets what the product costs. Cheap products are more common than dear ones.
func (p *Product) prices(d *department, percent func(int) bool) {
	rng := p.rng
	span := float64(d.high-d.low) * rng.Float64() * rng.Float64() * rng.Float64()
	yuan := d.low + int64(span)
	cents := []int64{0, 0, 90, 80, 50, 99, 5}[rng.IntN(7)]
	p.Price = yuan*100 + cents
	p.Market = (p.Price * int64(110+rng.IntN(60)) / 100) / 100 * 100
	if p.Market <= p.Price {
		p.Market = p.Price + 100
	}
	p.Shipping = []int64{600, 800, 1000, 1200}[rng.IntN(4)]
	switch {
	case percent(d.ranged):
		p.Most = p.Price + int64(5+rng.IntN(60))*max(100, p.Price/100/100*100)
		p.From = percent(30)
	case percent(3):
		p.From = true
	case percent(30):
		p.Was = p.Price * int64(105+rng.IntN(50)) / 100 / 10 * 10
		if p.Was <= p.Price {
			p.Was = p.Price + 50
		}
		p.Market = max(p.Market, p.Was+100)
	case percent(3):
		p.Price, p.Most, p.Was = 0, 0, 0
		return
	}
	if p.From {
		p.Most = 0
	}
	if percent(25) {
		p.Member = p.Price * 95 / 100
	}
	if d.weighed {
		p.Unit = max(1, p.Price/int64(5+rng.IntN(20)))
	}
}

// Sale reports whether the product costs less than before.
func (p *Product) Sale() bool { return p.Was > 0 }

// Deal reports whether the product is in the category of sales, too.
func (p *Product) Deal() bool { return p.Sale() && p.ID%2 == 0 }

// Category is the name of its department.
func (p *Product) Category() string { return p.department.name }

// Slug is the department in addresses.
func (p *Product) Slug() string { return p.department.slug }

// Sign is the symbol of the currency.
func (p *Product) Sign() string {
	if p.Currency == "USD" {
		return "US$"
	}
	return "¥"
}

// Points are what a customer gets for buying it.
func (p *Product) Points() int64 { return p.Price / 100 }

// Text describes the product in paragraphs.
func (p *Product) Text() []string {
	words := strings.NewReplacer("{n}", p.Name, "{k}", p.kind)
	var out []string
	for _, i := range rand.New(rand.NewPCG(hash(p.SKU), 1)).Perm(len(claims))[:5] {
		out = append(out, words.Replace(claims[i]))
	}
	return out
}

// Param is a property of a product.
type Param struct{ Name, Value string }

// Params are properties that all themes print in a table.
func (p *Product) Params() []Param {
	rng := rand.New(rand.NewPCG(hash(p.SKU), 2))
	params := []Param{
		{"产地", strings.Fields(cities[rng.IntN(len(cities))])[0]},
		{"类型", p.kind},
		{"净重", fmt.Sprintf("%d.%d kg", rng.IntN(6), 1+rng.IntN(9))},
		{"保修期", fmt.Sprintf("%d 个月", 3*(1+rng.IntN(8)))},
		{"执行标准", fmt.Sprintf("GB/T %d-%d", 1000+rng.IntN(29000), 2008+rng.IntN(16))},
	}
	return slices.Clone(params[:3+rng.IntN(3)])
}

// Comment is what a customer says of a product.
type Comment struct {
	Who, Text, Date string
	Stars           int
}

// Comments are the first of the reviews.
func (p *Product) Comments() []Comment {
	rng := rand.New(rand.NewPCG(hash(p.SKU), 3))
	var out []Comment
	for range min(p.Reviews, 6) {
		out = append(out, Comment{
			Who: customers[rng.IntN(len(customers))], Text: opinions[rng.IntN(len(opinions))],
			Date: fmt.Sprintf("2026-%02d-%02d", 1+rng.IntN(9), 1+rng.IntN(28)), Stars: 3 + rng.IntN(3),
		})
	}
	return out
}

// Amount writes an amount with two decimals: 1299.00.
func Amount(fen int64) string { return fmt.Sprintf("%d.%02d", fen/100, fen%100) }

// comma writes an amount with separators: 1,299.00.
func comma(fen int64) string { return thousands(fen/100) + fmt.Sprintf(".%02d", fen%100) }

func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s)) // never fails
	return h.Sum64()
}
