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

// NewSample returns a complete, plausible person whose name starts with marker. CPF, phone
// number and email depend on rng and marker: runs with the same seed but different markers
// share none of them. No CPF starts with 0, and no birth is before 1970, where timestamps are
// negative: rules test these cases on purpose.
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

// PersonalFields returns the fields that identify a person.
func PersonalFields() []string {
	return strings.Fields("name mother_name document_number birth_date phone_number email " +
		"address.zip_code address.street address.complement address.neighborhood")
}

// PersonalValues returns the values of the draft that identify the person and must not be
// written or shown. They are sorted from long to short, so that replacing one by one leaves no
// partial value.
func (d Draft) PersonalValues() []string {
	var values []string
	for _, logical := range PersonalFields() {
		values = append(values, collectTexts(d.values[logical])...)
	}
	if whole, ok := d.values[addressName]; ok {
		values = append(values, collectTexts(whole)...)
	}
	// such short values occur by chance
	values = slices.DeleteFunc(values, func(s string) bool { return utf8.RuneCountInString(s) < 4 })
	slices.SortFunc(values,
		func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.Compact(values)
}

// collectTexts returns the strings and numbers in a value, including those inside JSON, maps
// and slices, but not keys.
func collectTexts(v any) (found []string) {
	encoded, _ := encodeJSON(v) // values that are not JSON are never sent
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

// randomDate returns a date from first to last, with a day from 1 to 28.
func randomDate(rng *rand.Rand, first, last int) string {
	return fmt.Sprintf("%04d-%02d-%02d", first+rng.IntN(last-first+1), 1+rng.IntN(12), 1+rng.IntN(28))
}
