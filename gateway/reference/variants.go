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

// Variants lists the ready-made variants; the first is the default gateway. Each reading is that of one at the least.
func Variants() []Variant {
	otherHeaders := CreateHeaders{"transaction-id", "request-nonce", "accept-language-tag", "acting-for"}
	excel := CSV{Semicolon: true, BOM: true, CRLF: true}
	strange := excel
	strange.Gzip, strange.Dates = true, Zoneless
	strange.Titles = [5]string{"Cotação", "Cliente", "Carteira", "Criada em", "Liquidada em"}
	return []Variant{
		{"default", "every choice at its default", Choices{}},
		{"unprocessable", "422 for what is invalid, 200 for a repeat, 202 for an export; terse answers", Choices{
			InvalidStatus: 422, RepeatStatus: 200, ExportStatus: 202, BlockStatus: 422, OmitAbsent: true,
			Readings: []string{"plain-errors", "upper-ids", "offset-created", "shareholder-404"},
		}},
		{"created-again", "201 for a repeat and an export; answers are nested in a member", Choices{
			RepeatStatus: 201, ExportStatus: 201, BlockStatus: 400, FlagsDefault: true,
			Readings: []string{"enveloped", "lower-email", "two-decimals", "shareholder-403", "deprecation"},
		}},
		{"lax", "much that is nearly right is read as what it means", Choices{Readings: []string{
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
		{"strict-bounds", "bounds are whole seconds of UTC; replay protection remembers rejected exports", Choices{
			Readings: []string{"whole-bounds", "utc-bounds", "rejected-counts"},
		}},
		{
			"extension-required", "type_extension is required, and documents have to be photographs",
			Choices{Readings: []string{"extension-required", "photographs"}},
		},
		{"strict-product", "a creation names a product, and an export no type_extension", Choices{
			Readings: []string{"product-required", "extension-refused", "wallets-of-one"},
		}},
		{"masked", "answers in another notation, with more fields, behind a gateway that blocks strangers", Choices{
			Readings: []string{"gate", "notation", "upper-names", "zoneless-created", "plain-address-id", "more-fields"},
		}},
		{
			"colleague", "the API key is that of another user of the same legal person; each replay mode has its memory",
			Choices{ModesApart: true, Retrieval: ByReference, Readings: []string{"key-of-colleague"}},
		},
		{
			"flat", "flat create bodies with other names; dates in files have no offset",
			Choices{Fields: flatFields, NumberAsText: true, CSV: CSV{Dates: Zoneless}},
		},
		{
			"other-names", "other names of headers, other objects in create bodies, paths behind /gateway",
			Choices{CreateHeaders: otherHeaders, Fields: homeFields, BasePath: "/gateway"},
		},
		{"per-document", "one upload for each document, with a further form field; file IDs are digits", Choices{
			PerDocument: true, DocumentForm: map[string]string{"identity_document_type": "cnh"}, NumericIDs: true,
			FileState: CodedState,
		}},
		{
			"direct", "the retrieval answers with the compressed file itself; replay protection compares bytes",
			Choices{RawReplayBody: true, Retrieval: Direct, CSV: CSV{Gzip: true}},
		},
		{
			"foreign-download", "files are on another origin, which refuses credentials; states have other names",
			Choices{Retrieval: ByForeignAddress, FileState: NestedState, FileDelay: 60 * time.Millisecond},
		},
		{"excel", "semicolons, a byte order mark and CR LF", Choices{CSV: excel}},
		{"slow-file", "a file is ready after three seconds, and has other titles and the dates of São Paulo", Choices{
			FileDelay: 3 * time.Second,
			CSV: CSV{
				Dates: Offset, Titles: [5]string{"Quote ID", "Customer", "Wallet", "Created At", "Settled At"},
			},
		}},
		{
			"totals", "files end with a row of totals, a label for its ID and a row count among the dates; addresses are paths",
			Choices{
				Retrieval: ByPath, Unsettled: true, CSV: CSV{Totals: true, Total: "Total geral"},
				Readings: []string{"more-columns"},
			},
		},
		{
			"year-one", "quotes that are not settled are dated 0001-01-01; files end with the sum of the amounts",
			Choices{Unsettled: true, CSV: CSV{Totals: true, Dates: YearOne}, Readings: []string{"title-lines"}},
		},
		{
			"settled-days", "settled dates are days without a time, or none",
			Choices{Unsettled: true, Readings: []string{"settled-day"}},
		},
		{"latency", "every request takes 150 ms longer", Choices{Latency: 150 * time.Millisecond}},
		{"rate-limited", "50 requests per second, then 429", Choices{RateLimit: 50}},
		{"flaky", "one request in fifty fails with 503 or a broken connection", Choices{FlakyShare: 0.02}},
		{
			"crashing", "one request in twenty fails with 500, not when it is sent again; connections close after each",
			Choices{CrashShare: 0.05, HangUp: Closes},
		},
		{"resetting", "a connection is reset 20 ms after each answer", Choices{HangUp: Resets}},
		{"minimal", "the deployment file gives an address and a credential only", Choices{MinimalFile: true}},
		{"hidden-minimal", "that, and other names of request fields", Choices{MinimalFile: true, Fields: hiddenFields}},
		{
			"hidden-headers", "other header names for the create operation, missing from the deployment file",
			Choices{CreateHeaders: CreateHeaders{"x-object-key", "x-once", "x-tongue", "x-for"}, Unnamed: true},
		},
		{"hidden-fields", "other names of request fields and optional headers, missing from the deployment file", Choices{
			CreateHeaders: CreateHeaders{Language: "x-tongue", OnBehalfOf: "x-for"}, Fields: hiddenFields, Unnamed: true,
		}},
		{"far-away", "many choices at once, and no API keys", Choices{
			InvalidStatus: 422, RepeatStatus: 200, ExportStatus: 202, BlockStatus: 400, CreateHeaders: otherHeaders,
			Fields: flatFields, NumberAsText: true, OmitAbsent: true, CheckDigits: true, NonceOnce: true,
			Retrieval: ByForeignAddress, FileState: NestedState, CSV: strange, Unsettled: true, NoAPIKey: true,
			BasePath: "/api/v2",
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
