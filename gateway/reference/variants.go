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
	"address.federative_unit": "address_state",
	"address.country":         "address_country", "address.complement": "address_complement",
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

// Variants lists the ready-made variants; the first is the default gateway.
func Variants() []Variant {
	otherHeaders := CreateHeaders{
		TransactionID: "transaction-id", Nonce: "request-nonce", Language: "accept-language-tag",
		OnBehalfOf: "acting-for",
	}
	variants := []Variant{
		{"default", "every choice at its default", Choices{}},
		{"unprocessable", "422 for what is missing or invalid", Choices{InvalidStatus: 422}},
		{"repeat-200", "a repeated creation gives the record that exists, with 200", Choices{RepeatStatus: 200}},
		{"repeat-201", "a repeated creation gives the record that exists, with 201", Choices{RepeatStatus: 201}},
		{"export-201", "an export is answered with 201", Choices{ExportStatus: 201}},
		{
			"export-202", "an export is answered with 202, a block with 422",
			Choices{ExportStatus: 202, BlockStatus: 422},
		},
		{"other-headers", "other header names for the create operation", Choices{CreateHeaders: otherHeaders}},
		{"flat", "flat create bodies with other names", Choices{Fields: flatFields}},
		{"other-fields", "other names and other objects in create bodies", Choices{Fields: map[string]string{
			"document_number": "identification.cpf", "document_country_of_issue": "identification.country",
			"address": "home", "address.zip_code": "home.cep", "address.street": "home.street",
			"address.number":       "home.number",
			"address.neighborhood": "home.district", "address.city": "home.city",
			"address.federative_unit": "home.state",
			"address.country":         "home.country", "address.complement": "home.complement",
			"qualification": "qualification",
		}}},
		{"number-as-text", "the street number is text in requests", Choices{NumberAsText: true}},
		{"omit-absent", "the record leaves out what was not sent", Choices{OmitAbsent: true}},
		{"flags-default", "flags are false when they are not sent", Choices{FlagsDefault: true}},
		{"check-digits", "the check digits of a CPF are verified", Choices{CheckDigits: true}},
		{"narrow", "long texts, far dates, enormous amounts and what is rare are rejected", Choices{Narrow: true}},
		{"nonce-once", "a nonce serves one creation only", Choices{NonceOnce: true}},
		{"per-document", "one upload for each document, with a further form field", Choices{
			PerDocument: true, DocumentForm: map[string]string{"identity_document_type": "cnh"},
		}},
		{"reject-query", "unknown query parameters are rejected", Choices{RejectQuery: true}},
		{"raw-replay", "replay protection compares the bytes of the body", Choices{RawReplayBody: true}},
		{"modes-apart", "each replay mode has a memory of its own", Choices{ModesApart: true}},
		{"direct", "the retrieval answers with the file itself", Choices{Retrieval: Direct}},
		{
			"foreign-download", "files lie on another origin, which refuses credentials",
			Choices{Retrieval: ByForeignAddress},
		},
		{
			"nested-state", "states lie deeper and have other names",
			Choices{FileState: NestedState, FileDelay: 60 * time.Millisecond},
		},
		{"coded-state", "states are codes", Choices{FileState: CodedState}},
		{"slow-file", "a file is ready after three seconds", Choices{FileDelay: 3 * time.Second}},
		{"excel", "semicolons, a byte order mark and CR LF", Choices{CSV: CSV{Semicolon: true, BOM: true, CRLF: true}}},
		{"gzip", "the file is compressed", Choices{CSV: CSV{Gzip: true}}},
		{"gzip-direct", "the compressed file is answered directly", Choices{Retrieval: Direct, CSV: CSV{Gzip: true}}},
		{"local-offset", "dates carry the offset of São Paulo", Choices{CSV: CSV{Dates: Offset}}},
		{"zoneless", "dates carry no offset and are São Paulo's", Choices{CSV: CSV{Dates: Zoneless}}},
		{
			"other-titles", "other column titles",
			Choices{CSV: CSV{Titles: [5]string{"Quote ID", "Customer", "Wallet", "Created At", "Settled At"}}},
		},
		{"totals", "files end with a row that sums the amounts up", Choices{CSV: CSV{Totals: true}}},
		{
			"labelled-totals", "files end with a row of totals that says so in place of an ID",
			Choices{Unsettled: true, CSV: CSV{Totals: true, Total: "Total geral"}},
		},
		{"unsettled", "some quotes are not settled yet", Choices{Unsettled: true}},
		{"latency", "every request takes 150 ms more", Choices{Latency: 150 * time.Millisecond}},
		{"rate-limited", "50 requests per second, then 429", Choices{RateLimit: 50}},
		{"flaky", "one request in fifty fails with 503 or a broken connection", Choices{FlakyShare: 0.02}},
		{"closing", "a connection is closed after each answer, without a word about it", Choices{HangUp: Closes}},
		{"resetting", "a connection is reset 20 ms after each answer", Choices{HangUp: Resets}},
		{"no-api-key", "only platform tokens", Choices{NoAPIKey: true}},
		{"minimal", "the deployment file gives an address and a credential only", Choices{MinimalFile: true}},
		{"base-path", "every path starts with /gateway", Choices{BasePath: "/gateway"}},
		{"far-away", "many choices at once", Choices{
			InvalidStatus: 422, RepeatStatus: 200, ExportStatus: 202, BlockStatus: 400, CreateHeaders: otherHeaders,
			Fields:       flatFields,
			NumberAsText: true, OmitAbsent: true, CheckDigits: true, NonceOnce: true, Retrieval: ByForeignAddress,
			FileState: NestedState,
			CSV: CSV{
				Semicolon: true, BOM: true, CRLF: true, Gzip: true, Dates: Zoneless,
				Titles: [5]string{"Cotação", "Cliente", "Carteira", "Criada em", "Liquidada em"},
			},
			Unsettled: true, NoAPIKey: true, BasePath: "/api/v2",
		}},
		{"numeric-ids", "file IDs are digits, as text", Choices{NumericIDs: true}},
		{
			"hidden-headers", "other header names for the create operation, which the deployment file does not give",
			Choices{
				CreateHeaders: CreateHeaders{"x-object-key", "x-once", "x-tongue", "x-for"}, Unnamed: true,
			},
		},
		{
			"hidden-optional-headers",
			"other headers for language and on-behalf-of, which the deployment file does not give",
			Choices{
				CreateHeaders: CreateHeaders{Language: "x-tongue", OnBehalfOf: "x-for"}, Unnamed: true,
			},
		},
		{"hidden-fields", "other names of request fields, which the deployment file does not give", Choices{
			Fields: hiddenFields, Unnamed: true,
		}},
		{"hidden-fields-minimal", "other names of request fields, and a deployment file without anything", Choices{
			Fields: hiddenFields, MinimalFile: true,
		}},
	}
	for _, r := range readings() {
		variants = append(variants, Variant{r.name, r.statement, Choices{Readings: []string{r.name}}})
	}
	return append(variants, Variant{"many-readings", "much is read in another way at once", Choices{
		InvalidStatus: 422, RepeatStatus: 201, BlockStatus: 400, OmitAbsent: true, Readings: []string{
			"null-absent", "any-media-type", "coerced", "punctuated-cpf", "any-case", "loose-dates", "known-fields",
			"whole-address", "plausible-dates", "one-cpf", "target-apart", "notation", "upper-names", "offset-created",
			"upper-ids", "two-decimals", "shareholder-404", "deprecation", "filter-pair", "turned-refused",
			"more-columns",
		},
	}})
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
