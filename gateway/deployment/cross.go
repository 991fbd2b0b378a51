package deployment

import (
	"crypto/x509"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// largestCA bounds the file of trusted certificates, in bytes.
const largestCA = 8 << 20

// crossCheck judges what takes more than one key to see.
func (r *reader) crossCheck() {
	r.checkCredentials()
	r.checkHeaders()
	r.checkFieldPaths()
	r.checkFixtures()
	r.checkExport()
	r.checkCA()
	r.file.BaseURL = strings.TrimRight(r.file.BaseURL, "/") // paths begin with the slash
}

// where gives the place of a key's value, or of the nearest mapping around it.
func (r *reader) where(path string) place {
	for {
		if at, ok := r.at[path]; ok || path == "" {
			return at
		}
		path = path[:max(strings.LastIndexByte(path, '.'), 0)]
	}
}

func (r *reader) checkCredentials() {
	if c := r.file.Credentials; !r.bad["credentials"] && c.PlatformToken == nil && c.APIKey == nil {
		r.add("credentials", r.where("credentials"), "at least one of platform_token and api_key", "neither",
			"ordinary requests need one: platform_token: ${GATEWAY_TOKEN}")
	}
	r.checkUsers()
}

// checkUsers reports credentials that are given for another user and are those of the run itself: what they may not do
// would be taken for a violation.
func (r *reader) checkUsers() {
	c := r.file.Credentials
	own := map[string]string{}
	for _, given := range []struct {
		key string
		of  *Credential
	}{{"credentials.platform_token", c.PlatformToken}, {"credentials.api_key", c.APIKey}} {
		if given.of != nil && given.of.Value != "" {
			own[given.of.Value] = given.key
		}
	}
	for _, given := range []struct {
		key, who string
		of       *Credential
	}{
		{"credentials.unprivileged", "somebody who may not create representatives", c.Unprivileged},
		{"credentials.other_user", "another legal person", c.OtherUser},
	} {
		if given.of == nil || r.bad[given.key] {
			continue
		}
		if same, ok := own[given.of.Value]; ok {
			r.add(given.key, r.where(given.key), "a credential of "+given.who, "the value of "+same, "leave it out where there is none")
		}
	}
}

// distinct reports keys that hold the same where each must hold its own. Keys that have a problem are left alone.
func (r *reader) distinct(what string, keys []string, values []string) {
	first := map[string]string{}
	for i, key := range keys {
		if values[i] == "" || r.bad[key] {
			continue
		}
		if other, twice := first[values[i]]; twice {
			at := key
			if _, ok := r.at[key]; !ok {
				at = other // the default of one key met the value of the other
			}
			r.add(at, r.where(at), what, "the same for "+other+" and "+key, "")
			continue
		}
		first[values[i]] = key
	}
}

// lower folds what is compared without regard to case: header names and UUIDs.
func lower(values ...string) []string {
	for i := range values {
		values[i] = strings.ToLower(values[i])
	}
	return values
}

func (r *reader) checkHeaders() {
	const under = "legal_representative.headers."
	h := r.file.LegalRepresentative.Headers
	r.distinct("a header of its own",
		[]string{under + "transaction_id", under + "nonce", under + "language", under + "on_behalf_of"},
		lower(h.TransactionID, h.Nonce, h.Language, h.OnBehalfOf))
	if retrieval := r.file.Export.File; retrieval != nil {
		first := map[string]string{}
		for _, name := range slices.Sorted(maps.Keys(retrieval.Headers)) {
			folded, key := strings.ToLower(name), "export.file.headers."+name
			if other, twice := first[folded]; twice {
				r.add(key, r.where(key), "each header once", "it as "+other+" and "+name, "")
			}
			first[folded] = name
		}
	}
}

// checkFieldPaths sees to it that no field overwrites another in the request.
func (r *reader) checkFieldPaths() {
	const under = "legal_representative.fields."
	if r.bad["legal_representative.fields"] {
		return
	}
	fields := r.file.LegalRepresentative.Fields
	for _, a := range LogicalFields() {
		for _, b := range LogicalFields() {
			inside := strings.HasPrefix(fields[b], fields[a]+".")
			if a == "address" && inside {
				continue // an object may hold other fields
			}
			same := a < b && fields[a] == fields[b]
			if !same && !inside {
				continue
			}
			at := under + b
			if !r.file.given[at] {
				at = under + a
			}
			if !r.file.given[at] {
				at = under + "address" // only a moved address puts a default elsewhere
			}
			r.add(at, r.where(at), "a path that no other field uses",
				fmt.Sprintf("%s at %q and %s at %q", a, shorten(fields[a]), b, shorten(fields[b])), "")
		}
	}
}

func (r *reader) checkFixtures() {
	f := r.file.Fixtures
	r.distinct("a shareholder of another legal person",
		[]string{"fixtures.shareholder_id", "fixtures.foreign_shareholder_id"}, lower(f.ShareholderID, f.ForeignShareholderID))
	r.distinct("another wallet than the default",
		[]string{"fixtures.default_wallet_id", "fixtures.other_wallet_id"}, lower(f.DefaultWalletID, f.OtherWalletID))
	if w := f.Window; w != nil && !r.bad["fixtures.window"] && !w.End.After(w.Start) {
		r.add("fixtures.window.end", r.where("fixtures.window.end"), "an end after the start",
			w.End.Format("2006-01-02T15:04:05.999999999Z07:00"), "the end itself is not part of the window")
	}
}

func (r *reader) checkExport() {
	const columns = "export.csv.columns."
	c := r.file.Export.CSV.Columns
	r.distinct("a column of its own",
		[]string{columns + "id", columns + "client_id", columns + "wallet_id", columns + "quote_created_at", columns + "settled_date"},
		[]string{c.ID, c.ClientID, c.WalletID, c.QuoteCreatedAt, c.SettledDate})
	if r.file.Export.File == nil || r.file.Export.File.State == nil {
		return
	}
	ready := map[string]bool{}
	for _, state := range r.file.Export.File.State.Ready {
		ready[state] = true
	}
	for _, state := range r.file.Export.File.State.Failed {
		if ready[state] {
			r.add("export.file.state.failed", r.where("export.file.state.failed"), "states that are not ready as well",
				fmt.Sprintf("%q in both lists", shorten(state)), "")
		}
	}
}

// checkCA resolves tls.ca_file and reads it, so that a wrong path is seen before the first request.
func (r *reader) checkCA() {
	const key = "tls.ca_file"
	tls := &r.file.TLS
	if tls.CAFile == "" || r.bad[key] {
		return
	}
	hint := "the path is looked up from the folder of the deployment file"
	if strings.HasPrefix(tls.CAFile, "-----BEGIN") {
		r.add(key, r.where(key), "the path of a PEM file", "its content", "write the path without file:")
		return
	}
	tls.CAFile = r.abs(tls.CAFile)
	data, err := readRegular(tls.CAFile, largestCA)
	if err != nil {
		r.add(key, r.where(key), "a readable PEM file", err.Error(), hint)
		return
	}
	if !x509.NewCertPool().AppendCertsFromPEM(data) {
		r.add(key, r.where(key), "a PEM file with at least one certificate", "none in it", "a certificate begins with -----BEGIN CERTIFICATE-----")
	}
}
