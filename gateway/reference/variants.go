package reference

import (
	"fmt"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/meant"
)

// Variant is a named set of choices: a gateway that conforms and looks unlike the default one.
type Variant struct {
	Name        string
	Description string
	Choices     Choices
}

// flatFields are names without objects, as a deployment with flat bodies has them.
var flatFields = map[string]string{
	"shareholder_id": "shareholderId", "name": "fullName", "mother_name": "motherName", "document_number": "cpf",
	"document_country_of_issue": "cpf_country", "birth_date": "birthDate", "participation_percentage": "participation",
	"pep": "isPep", "qualification": "qualification", "phone_number": "phone", "relationship_start_date": "since",
	"relationship_end_date": "until", "registration_update_date": "updatedOn",
	"address.zip_code": "address_zip", "address.street": "address_street", "address.number": "address_number",
	"address.neighborhood": "address_neighborhood", "address.city": "address_city",
	"address.federative_unit": "address_state", "address.country": "address_country",
	"address.complement": "address_complement",
}

// homeFields are other names within other objects.
var homeFields = map[string]string{
	"document_number": "identification.cpf", "document_country_of_issue": "identification.country",
	"qualification": "qualification", "address": "home", "address.zip_code": "home.cep",
	"address.street": "home.street", "address.number": "home.number", "address.neighborhood": "home.district",
	"address.city": "home.city", "address.federative_unit": "home.state", "address.country": "home.country",
	"address.complement": "home.complement",
}

// hiddenFields are names that nobody guesses for whatever the document does not name.
var hiddenFields = map[string]string{
	"document_number": "taxpayer.code", "document_country_of_issue": "taxpayer.issued_in", "birth_date": "born_on",
	"pep": "politically_exposed", "is_public_server": "civil_servant", "qualification": "capacity",
	"relationship_end_date": "linked_until", "address.zip_code": "address.post_code", "address.street": "address.way",
	"address.number": "address.door", "address.neighborhood": "address.district", "address.city": "address.town",
	"address.federative_unit": "address.region", "address.country": "address.nation",
	"address.complement": "address.more",
}

// Variants lists the ready-made variants; the first is the default gateway. Most differ from it in several points at once.
// Each reading is that of one at the least.
func Variants() []Variant {
	otherHeaders := CreateHeaders{"transaction-id", "request-nonce", "accept-language-tag", "acting-for"}
	excel := CSV{Semicolon: true, BOM: true, CRLF: true}
	strange := excel
	strange.Gzip, strange.Dates = true, Zoneless
	strange.Titles = [5]string{"Cotação", "Cliente", "Carteira", "Criada em", "Liquidada em"}
	return []Variant{
		{"default", "every choice at its default", Choices{}},
		{"created-again", "201 for a repeat and an export; answers are nested; documents are taken 300 ms later", Choices{
			RepeatStatus: 201, ExportStatus: 201, BlockStatus: 400, FlagsDefault: true,
			Readings: []string{"enveloped", "lower-email", "two-decimals", "shareholder-403", "deprecation", "later-documents"},
		}},
		{"lax", "much that is nearly right is read as what it means; new quotes come in", Choices{Readings: []string{
			"new-quotes",
			"null-absent", "any-media-type", "coerced", "punctuated-cpf", "any-case", "loose-dates", "negative-money",
			"any-uuid-version", "any-language", "any-schema", "bare-export", "some-documents", "foreign-wallet-empty",
			"either-credential",
		}}},
		{"strict", "all that may be refused is: rare values, unknown fields, a nonce or a CPF used twice", Choices{
			CheckDigits: true, Narrow: true, NonceOnce: true, RejectQuery: true, Readings: []string{
				"known-fields", "whole-address", "plausible-dates", "one-cpf", "target-apart", "turned-refused",
				"filter-pair", "transaction-needed", "exact-scheme",
			},
		}},
		{"strict-bounds", "bounds are whole seconds of UTC, documents photographs; rejected exports are remembered", Choices{
			Readings: []string{"whole-bounds", "utc-bounds", "rejected-counts", "photographs"},
		}},
		{"extension-required", "type_extension is required", Choices{Readings: []string{"extension-required"}}},
		{"strict-product", "a creation names a product, and an export no type_extension", Choices{
			Readings: []string{"product-required", "extension-refused", "wallets-of-one"},
		}},
		{"masked", "answers in another notation, with more fields, behind a gateway that blocks strangers", Choices{
			Unsettled: true, Readings: []string{
				"gate", "notation", "upper-names", "zoneless-created", "plain-address-id", "more-fields", "settled-day",
			},
		}},
		{"colleague", "the API key is a colleague's; each replay mode has its memory, each document its upload", Choices{
			ModesApart: true, Retrieval: ByReference, PerDocument: true, NumericIDs: true,
			DocumentForm: map[string]string{"identity_document_type": "cnh"}, Readings: []string{"key-of-colleague"},
		}},
		{"flat", "flat create bodies with other names; dates in files have no offset", Choices{
			Fields: flatFields, NumberAsText: true, CSV: CSV{Semicolon: true, BOM: true, CRLF: true, Dates: Zoneless},
		}},
		{"other-names", "other names of headers, other objects in create bodies, paths behind /gateway", Choices{
			CreateHeaders: otherHeaders, Fields: homeFields, BasePath: "/gateway", RawReplayBody: true, Retrieval: Direct,
			CSV: CSV{Gzip: true},
		}},
		{"foreign-download", "files take three seconds, and are on another origin, which refuses credentials", Choices{
			Retrieval: ByForeignAddress, FileState: NestedState, FileDelay: 3 * time.Second, CSV: CSV{
				Dates: Offset, Titles: [5]string{"Quote ID", "Customer", "Wallet", "Created At", "Settled At"},
			},
		}},
		{"totals", "files end with a label for an ID and a row count among the dates; addresses are relative", Choices{
			Retrieval: ByReference, Unsettled: true, CSV: CSV{Totals: true, Total: "Total geral"},
			Readings: []string{"more-columns"},
		}},
		{"year-one", "unsettled quotes are dated 0001-01-01", Choices{
			Unsettled: true, CSV: CSV{Totals: true, Dates: YearOne}, Readings: []string{"title-lines"},
		}},
		{"flaky", "one request in fifty fails with 503 or a broken connection; 50 requests per second, then 429", Choices{
			FlakyShare: 0.02, RateLimit: 50,
		}},
		{"crashing", "one request in twenty fails with 500, not when it is sent again", Choices{
			CrashShare: 0.05, Latency: 50 * time.Millisecond,
		}},
		{"hidden-minimal", "the deployment file gives an address and a credential only; fields have other names", Choices{
			MinimalFile: true, Fields: hiddenFields,
		}},
		{"hidden-headers", "other header names for the create operation, missing from the deployment file", Choices{
			CreateHeaders: CreateHeaders{"x-object-key", "x-once", "x-tongue", "x-for"}, Unnamed: true,
		}},
		{"hidden-fields", "other names of request fields and optional headers, missing from the deployment file", Choices{
			CreateHeaders: CreateHeaders{Language: "x-tongue", OnBehalfOf: "x-for"}, Fields: hiddenFields, Unnamed: true,
		}},
		{"far-away", "many choices at once, terse answers, and no API keys", Choices{
			InvalidStatus: 422, RepeatStatus: 200, ExportStatus: 202, BlockStatus: 422, CreateHeaders: otherHeaders,
			Fields: flatFields, NumberAsText: true, OmitAbsent: true, CheckDigits: true, NonceOnce: true,
			Retrieval: ByForeignAddress, FileState: NestedState, CSV: strange, Unsettled: true, NoAPIKey: true,
			BasePath: "/api/v2", Readings: []string{"plain-errors", "upper-ids", "offset-created", "shareholder-404"},
		}},
	}
}

// FindVariant finds a variant by its name; the error of an unknown one names those that are near.
func FindVariant(name string) (Variant, error) {
	var names []string
	for _, v := range Variants() {
		if v.Name == name {
			return v, nil
		}
		names = append(names, v.Name)
	}
	text := fmt.Sprintf("unknown variant %q", name)
	if near := meant.Near(name, names); len(near) > 0 {
		text += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return Variant{}, fmt.Errorf("%s (--list-variants shows all %d)", text, len(names))
}
