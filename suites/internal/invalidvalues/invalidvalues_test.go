package invalidvalues_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/suites/internal/invalidvalues"
)

// Each class changes a valid value, and the result can be encoded as JSON.
func TestWrongValuesDifferFromTheRightOne(t *testing.T) {
	texts := slices.Concat(invalidvalues.MultiLineTexts(), invalidvalues.ControlCharacters(),
		invalidvalues.LookAlikeCharacters(), invalidvalues.WrappedInJSON())
	for _, right := range []string{
		"asc", "CSV", "settled_date", "2025-01-05T00:00:00.123Z", "PARTNER",
	} {
		written, _ := json.Marshal(right)
		for _, v := range texts {
			if other, err := json.Marshal(v.Apply(right)); err != nil || string(other) == string(written) {
				t.Errorf("%s %s: %s, %v", right, v.Description, other, err)
			}
		}
	}
	for _, v := range append(invalidvalues.NonASCIIDigits(),
		invalidvalues.EmailHeaderInjections()...) {
		if v.Apply("12345678901") == "12345678901" {
			t.Errorf("a CPF %s is the right one", v.Description)
		}
	}
}

func TestMalformedUUIDs(t *testing.T) {
	for _, kind := range append(invalidvalues.MalformedUUIDs(), invalidvalues.NonHexUUID) {
		text := kind.New()
		if _, err := uuid.Parse(text); err == nil || text == "" || strings.ContainsAny(text, " \r\n") {
			t.Errorf("%s: %q would pass for a UUID or cannot stand in a header", kind.Description, text)
		}
		if text == kind.New() {
			t.Errorf("%s is not fresh", kind.Description)
		}
	}
	if text := invalidvalues.NonHexUUID.New(); len(text) != 36 ||
		strings.ContainsAny(text, "0123456789abcdefABCDEF") {
		t.Errorf("%q: expected 36 characters that are not hexadecimal digits", text)
	}
	if text := invalidvalues.MalformedUUIDs()[0].New(); uuid.Validate(text[len(text)-36:]) != nil {
		t.Errorf("%q does not end with a UUID", text)
	}
	if text := invalidvalues.MalformedUUIDs()[1].New(); uuid.Validate(text[:36]) != nil {
		t.Errorf("%q does not start with a UUID", text)
	}
}

func TestOtherVersions(t *testing.T) {
	for version, kind := range map[uuid.Version]invalidvalues.Text{
		0: invalidvalues.NilUUID, 1: invalidvalues.UUIDv1, 7: invalidvalues.UUIDv7,
	} {
		text := kind.New()
		if u, err := uuid.Parse(text); err != nil || u.Version() != version {
			t.Errorf("version %d: %s, %v", version, text, err)
		}
		if version > 0 && text == kind.New() {
			t.Errorf("version %d is not fresh", version)
		}
	}
	if u := uuid.MustParse(invalidvalues.UUIDOtherVariant.New()); u.Variant() == uuid.RFC4122 {
		t.Errorf("%s is of the variant of RFC 9562", u)
	}
	if v1 := uuid.MustParse(invalidvalues.UUIDv1.New()); v1[10]&1 == 0 {
		t.Error("a UUID of version 1 shows a hardware address")
	}
}
