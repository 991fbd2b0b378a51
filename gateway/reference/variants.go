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
	otherHeaders := CreateHeaders{"transaction-id", "request-nonce", "accept-language-tag", "acting-for"}
	var variants []Variant
	add := func(name, description string, c Choices) {
		variants = append(variants, Variant{name, description, c})
	}
	add("default", "every choice at its default", Choices{})
	add("unprocessable", "422 for what is missing or invalid", Choices{InvalidStatus: 422})
	add("repeat-200", "a repeated creation gives the record that exists, with 200", Choices{RepeatStatus: 200})
	add("repeat-201", "a repeated creation gives the record that exists, with 201", Choices{RepeatStatus: 201})
	add("export-201", "an export is answered with 201", Choices{ExportStatus: 201})
	add("export-202", "an export is answered with 202, a block with 422", Choices{ExportStatus: 202, BlockStatus: 422})
	add("other-headers", "other header names for the create operation", Choices{CreateHeaders: otherHeaders})
	add("flat", "flat create bodies with other names", Choices{Fields: flatFields})
	add("other-fields", "other names and other objects in create bodies", Choices{Fields: map[string]string{
		"document_number": "identification.cpf", "document_country_of_issue": "identification.country",
		"address": "home", "address.zip_code": "home.cep", "address.street": "home.street",
		"address.number": "home.number", "address.neighborhood": "home.district", "address.city": "home.city",
		"address.federative_unit": "home.state", "address.country": "home.country",
		"address.complement": "home.complement", "qualification": "qualification",
	}})
	add("number-as-text", "the street number is text in requests", Choices{NumberAsText: true})
	add("omit-absent", "the record leaves out what was not sent", Choices{OmitAbsent: true})
	add("flags-default", "flags are false when they are not sent", Choices{FlagsDefault: true})
	add("check-digits", "the check digits of a CPF are verified", Choices{CheckDigits: true})
	add("narrow", "long texts, distant dates, enormous amounts and rare values are rejected", Choices{Narrow: true})
	add("nonce-once", "a nonce can be used for one creation only", Choices{NonceOnce: true})
	add("per-document", "one upload for each document, with a further form field",
		Choices{PerDocument: true, DocumentForm: map[string]string{"identity_document_type": "cnh"}})
	add("reject-query", "unknown query parameters are rejected", Choices{RejectQuery: true})
	add("raw-replay", "replay protection compares the bytes of the body", Choices{RawReplayBody: true})
	add("modes-apart", "each replay mode has a memory of its own", Choices{ModesApart: true})
	add("direct", "the retrieval answers with the file itself", Choices{Retrieval: Direct})
	add("foreign-download", "files are on another origin, which refuses credentials",
		Choices{Retrieval: ByForeignAddress})
	add("relative-download", "the address of a file is relative to that of the answer", Choices{Retrieval: ByReference})
	add("path-download", "the address of a file is relative to base_url", Choices{Retrieval: ByPath})
	add("nested-state", "states are nested deeper and have other names",
		Choices{FileState: NestedState, FileDelay: 60 * time.Millisecond})
	add("coded-state", "states are codes", Choices{FileState: CodedState})
	add("slow-file", "a file is ready after three seconds", Choices{FileDelay: 3 * time.Second})
	add("excel", "semicolons, a byte order mark and CR LF", Choices{CSV: CSV{Semicolon: true, BOM: true, CRLF: true}})
	add("gzip", "the file is compressed", Choices{CSV: CSV{Gzip: true}})
	add("gzip-direct", "the compressed file is answered directly", Choices{Retrieval: Direct, CSV: CSV{Gzip: true}})
	add("local-offset", "dates have the offset of São Paulo", Choices{CSV: CSV{Dates: Offset}})
	add("zoneless", "dates have no offset and are São Paulo time", Choices{CSV: CSV{Dates: Zoneless}})
	add("other-titles", "other column titles",
		Choices{CSV: CSV{Titles: [5]string{"Quote ID", "Customer", "Wallet", "Created At", "Settled At"}}})
	add("totals", "files end with a row that totals the amounts", Choices{CSV: CSV{Totals: true}})
	add("labelled-totals",
		"files end with a row of totals, with a label in place of the ID and a row count among the dates",
		Choices{Unsettled: true, CSV: CSV{Totals: true, Total: "Total geral"}})
	add("unsettled", "some quotes are not settled yet", Choices{Unsettled: true})
	add("unsettled-year-one", "quotes that are not settled yet are dated 0001-01-01",
		Choices{Unsettled: true, CSV: CSV{Dates: YearOne}})
	add("latency", "every request takes 150 ms longer", Choices{Latency: 150 * time.Millisecond})
	add("rate-limited", "50 requests per second, then 429", Choices{RateLimit: 50})
	add("flaky", "one request in fifty fails with 503 or a broken connection", Choices{FlakyShare: 0.02})
	add("crashing", "one request in twenty fails with 500, and does not when it is sent again", Choices{CrashShare: 0.05})
	add("closing", "a connection is closed after each answer, without notice", Choices{HangUp: Closes})
	add("resetting", "a connection is reset 20 ms after each answer", Choices{HangUp: Resets})
	add("no-api-key", "only platform tokens", Choices{NoAPIKey: true})
	add("minimal", "the deployment file gives an address and a credential only", Choices{MinimalFile: true})
	add("base-path", "every path starts with /gateway", Choices{BasePath: "/gateway"})
	add("far-away", "many choices at once", Choices{
		InvalidStatus: 422, RepeatStatus: 200, ExportStatus: 202, BlockStatus: 400, CreateHeaders: otherHeaders,
		Fields: flatFields, NumberAsText: true, OmitAbsent: true, CheckDigits: true, NonceOnce: true,
		Retrieval: ByForeignAddress, FileState: NestedState, CSV: CSV{
			Semicolon: true, BOM: true, CRLF: true, Gzip: true, Dates: Zoneless,
			Titles: [5]string{"Cotação", "Cliente", "Carteira", "Criada em", "Liquidada em"},
		}, Unsettled: true, NoAPIKey: true, BasePath: "/api/v2",
	})
	add("numeric-ids", "file IDs are digits, as text", Choices{NumericIDs: true})
	add("hidden-headers", "other header names for the create operation, missing from the deployment file",
		Choices{CreateHeaders: CreateHeaders{"x-object-key", "x-once", "x-tongue", "x-for"}, Unnamed: true})
	add("hidden-optional-headers",
		"other headers for language and on-behalf-of, missing from the deployment file",
		Choices{CreateHeaders: CreateHeaders{Language: "x-tongue", OnBehalfOf: "x-for"}, Unnamed: true})
	add("hidden-fields", "other names of request fields, missing from the deployment file",
		Choices{Fields: hiddenFields, Unnamed: true})
	add("hidden-fields-minimal", "other names of request fields, and a minimal deployment file",
		Choices{Fields: hiddenFields, MinimalFile: true})
	for _, r := range readings() {
		add(r.Name, r.Statement, Choices{Readings: []string{r.Name}})
	}
	add("many-readings", "many other readings of the document at once", Choices{
		InvalidStatus: 422, RepeatStatus: 201, BlockStatus: 400, OmitAbsent: true, Readings: []string{
			"null-absent", "any-media-type", "coerced", "punctuated-cpf", "any-case", "loose-dates", "known-fields",
			"whole-address", "plausible-dates", "one-cpf", "target-apart", "notation", "upper-names", "offset-created",
			"upper-ids", "two-decimals", "shareholder-404", "deprecation", "filter-pair", "turned-refused",
			"more-columns",
		},
	})
	return variants
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
