package representative

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// NewSample makes up a complete, plausible person whose name starts with marker. CPF, phone number
// and email depend on rng and on marker: two runs with the same seed but different markers share
// none of them. A CPF never begins with a zero, and a birth is never before 1970, where moments
// become negative: what depends on that is for a rule to find, not for chance.
func NewSample(rng *rand.Rand, marker string, shareholderID string) Draft {
	seed := binary.BigEndian.AppendUint64([]byte(marker+"\x00"), rng.Uint64())
	own := rand.New(rand.NewChaCha8(sha256.Sum256(seed)))
	cpf := NewCPF(own)
	for cpf[0] == '0' {
		cpf = NewCPF(own)
	}
	first := pickOne(rng, "Ana", "Bruno", "Camila", "Diego", "Elisa", "Fabio", "Gabriela", "Heitor",
		"Isabela", "Juliana",
		"Lucas", "Marina", "Otavio", "Paula", "Rafael", "Sofia")
	last := pickOne(rng, "Almeida", "Barbosa", "Cardoso", "Duarte", "Ferreira", "Gomes", "Lima",
		"Martins", "Nogueira",
		"Oliveira", "Pereira", "Ribeiro", "Souza", "Teixeira", "Vieira")
	mother := pickOne(rng, "Aparecida", "Beatriz", "Celia", "Denise", "Helena", "Lucia", "Regina",
		"Tereza")
	street := pickOne(rng, "Rua das Palmeiras", "Avenida Brasil", "Rua Sete de Setembro",
		"Rua Barao de Jaguara",
		"Avenida Julio de Mesquita")
	return Draft{values: map[string]any{
		"shareholder_id":            shareholderID,
		"name":                      marker + " " + first + " " + last,
		"mother_name":               "Maria " + mother + " " + last,
		"document_number":           cpf,
		"document_country_of_issue": "BRA",
		"birth_date":                randomDate(rng, 1971, 1995),
		"income":                    int64(300_000 + rng.IntN(2_000_000)),
		"patrimony":                 int64(10_000_000 + rng.IntN(100_000_000)),
		"participation_percentage":  json.Number("50"),
		"pep":                       false,
		"is_public_server":          false,
		"qualification":             "PARTNER",
		"phone_number":              fmt.Sprintf("+55119%08d", own.IntN(100_000_000)),
		"email": fmt.Sprintf("%s.%s.%012x@example.com", strings.ToLower(first), strings.ToLower(last),
			own.Uint64()>>16),
		"relationship_start_date":  randomDate(rng, 2020, 2020),
		"relationship_end_date":    randomDate(rng, 2035, 2035),
		"registration_update_date": randomDate(rng, 2022, 2024),
		"address.zip_code":         fmt.Sprintf("8001%04d", rng.IntN(10_000)),
		"address.street":           street,
		"address.number":           1 + rng.IntN(2_999),
		"address.neighborhood":     "Centro",
		"address.city":             "Curitiba",
		"address.federative_unit":  "PR",
		"address.country":          "BRA",
		"address.complement":       fmt.Sprintf("Apto %d", 11+rng.IntN(180)),
	}}
}

// PersonalFields lists the fields that say who a person is.
func PersonalFields() []string {
	return strings.Fields("name mother_name document_number birth_date phone_number email " +
		"address.zip_code address.street address.complement address.neighborhood")
}

// PersonalValues lists the draft's values that identify the person: what must be replaced before
// anything is written to a file or shown. The longest come first, so that replacing one by one
// never leaves half of a value.
func (d Draft) PersonalValues() []string {
	var values []string
	for _, logical := range PersonalFields() {
		values = append(values, collectTexts(d.values[logical])...)
	}
	if whole, ok := d.values[addressName]; ok {
		values = append(values, collectTexts(whole)...)
	}
	// found by chance
	values = slices.DeleteFunc(values, func(s string) bool { return utf8.RuneCountInString(s) < 4 })
	slices.SortFunc(values,
		func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.Compact(values)
}

// collectTexts collects the strings and numbers in a value, those inside JSON, maps and slices too,
// but for names of fields.
func collectTexts(v any) (found []string) {
	encoded, _ := encodeJSON(v) // what is no JSON is never sent
	d := jsontext.NewDecoder(bytes.NewReader(encoded))
	for {
		token, err := d.ReadToken()
		if err != nil {
			return found
		}
		inside, n := d.StackIndex(d.StackDepth())
		name := inside == '{' && n%2 == 1
		if kind := token.Kind(); !name && (kind == '"' || kind == '0') {
			found = append(found, token.String())
		}
	}
}

func pickOne(rng *rand.Rand, from ...string) string { return from[rng.IntN(len(from))] }

// randomDate is a day that every month has, in one of the years from first to last.
func randomDate(rng *rand.Rand, first, last int) string {
	return fmt.Sprintf("%04d-%02d-%02d", first+rng.IntN(last-first+1), 1+rng.IntN(12), 1+rng.IntN(28))
}
