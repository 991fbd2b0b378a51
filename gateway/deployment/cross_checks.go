package deployment

import (
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/gateassay/gateassay/internal/creationfields"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/strictyaml"
)

// crossCheck checks what depends on more than one key, and completes the file.
type crossCheck struct {
	*strictyaml.Reader
	file *File
	dir  string
}

func (r *crossCheck) checkAndComplete() {
	r.checkCredentials()
	r.checkNamesDiffer()
	r.checkFieldsDoNotOverlap()
	r.resolveTLSFiles()
	if w := r.file.Fixtures.Window; w != nil && !w.End.After(w.Start) {
		r.addProblem("fixtures.window.end", "an end after the start", w.End.Format(time.RFC3339Nano),
			"the end itself is not part of the window")
	}
	r.file.BaseURL = strings.TrimRight(r.file.BaseURL, "/") // paths begin with the slash
	r.normaliseHost()
}

// normaliseHost writes the host of base_url as it is sent and recorded.
func (r *crossCheck) normaliseHost() {
	u, err := url.Parse(r.file.BaseURL)
	if err != nil {
		return // already reported
	}
	switch host, err := httpguts.PunycodeHostPort(u.Host); {
	case err != nil:
		r.addProblem("base_url", "an address whose host can be a name on the internet",
			printable.Quote(u.Host), "")
	case host != u.Host:
		u.Host = host
		r.file.BaseURL = u.String()
	}
}

// addProblem reports a problem with a key.
func (r *crossCheck) addProblem(key, expected, found, hint string) {
	r.AddProblem(key, "expected "+expected+", found "+found, hint)
}

func (r *crossCheck) checkCredentials() {
	c := &r.file.Credentials
	resolve := func(name string, credential *Credential) {
		if credential == nil {
			return
		}
		if ways := credential.resolveFrom(name, r.dir); ways != 1 {
			r.addProblem(credential.SettingKey(), "one of bearer, api_key, command and oauth2",
				strconv.Itoa(ways)+" of them", "")
		}
		r.checkCommandExists(credential.SettingKey(), credential)
	}
	for name, credential := range c.allByKey() {
		resolve(name, credential)
	}
	for i, credential := range r.file.Load.Credentials {
		resolve(fmt.Sprintf("load.credentials[%d]", i), credential)
	}
	if c.PlatformToken == nil && c.APIKey == nil {
		r.addProblem("credentials", "at least one of platform_token and api_key", "neither",
			"ordinary requests need one: platform_token: ${GATEWAY_TOKEN}")
	}
	// A main credential of such a user would make the rules about that user report false violations.
	for given, who := range map[*Credential]string{
		c.Unprivileged: "a user who may not create representatives",
		c.OtherUser:    "another legal person",
	} {
		for _, own := range []*Credential{c.PlatformToken, c.APIKey} {
			if given != nil && own != nil && given.Value != "" && given.Value == own.Value {
				r.addProblem(given.SettingKey(), "a credential of "+who, "the value of "+own.SettingKey(),
					"remove it if there is none")
			}
		}
	}
}

// checkCommandExists reports a credential's program that cannot be run.
func (r *crossCheck) checkCommandExists(key string, c *Credential) {
	if c.Issuer == nil || len(c.Issuer.Command) == 0 {
		return
	}
	program := c.Issuer.Command[0]
	if strings.ContainsRune(program, filepath.Separator) && !filepath.IsAbs(program) {
		program = filepath.Join(r.dir, program) // relative to the folder of the file
	}
	if _, err := exec.LookPath(program); err != nil {
		r.addProblem(key+".command", "a program that can be run",
			printable.Quote(program)+", which cannot be run",
			"check the path, and that the file is executable")
	}
}

// firstGivenKey returns the first key that the file has. Others may hold a default.
func (r *crossCheck) firstGivenKey(keys ...string) string {
	return keys[max(slices.IndexFunc(keys, r.Has), 0)]
}

// checkValuesDiffer reports keys that hold the same value, ignoring case.
func (r *crossCheck) checkValuesDiffer(what, under string, keys []string, values ...string) {
	first := map[string]string{}
	for i, name := range keys {
		key, value := under+name, strings.ToLower(values[i])
		if value == "" {
			continue
		}
		if other, twice := first[value]; twice {
			r.addProblem(r.firstGivenKey(key, other), what, "the same for "+other+" and "+key, "")
			continue
		}
		first[value] = key
	}
}

// checkNamesDiffer reports equal names and IDs that must be different.
func (r *crossCheck) checkNamesDiffer() {
	h, f, c := r.file.LegalRepresentative.Headers, r.file.Fixtures, r.file.Export.CSV.Columns
	own := []string{h.TransactionID, h.Nonce, h.Language, h.OnBehalfOf}
	r.checkValuesDiffer("a distinct header", "legal_representative.headers.",
		[]string{"transaction_id", "nonce", "language", "on_behalf_of"}, own...)
	for name := range r.file.Headers {
		if slices.ContainsFunc(own, func(taken string) bool { return strings.EqualFold(name, taken) }) {
			r.addProblem("headers."+name, "a header that no rule uses", "one that creations carry", "")
		}
	}
	r.checkValuesDiffer("a distinct column", "export.csv.columns.",
		[]string{"id", "client_id", "wallet_id", "quote_created_at", "settled_date"},
		c.ID, c.ClientID, c.WalletID, c.QuoteCreatedAt, c.SettledDate)
	r.checkValuesDiffer("a shareholder of another legal person", "fixtures.",
		[]string{"shareholder_id", "foreign_shareholder_id"}, f.ShareholderID, f.ForeignShareholderID)
	r.checkValuesDiffer("another wallet than the default", "fixtures.",
		[]string{"default_wallet_id", "other_wallet_id"}, f.DefaultWalletID, f.OtherWalletID)
}

// checkFieldsDoNotOverlap reports fields that overwrite others in the request.
func (r *crossCheck) checkFieldsDoNotOverlap() {
	const under = "legal_representative.fields."
	paths := r.file.LegalRepresentative.Fields
	for _, a := range creationfields.Names() {
		for _, b := range creationfields.Names() {
			inside := strings.HasPrefix(paths[b], paths[a]+".")
			if a == "address" && inside {
				continue // an object may hold other fields
			}
			if same := a < b && paths[a] == paths[b]; !same && !inside {
				continue
			}
			r.addProblem(r.firstGivenKey(under+b, under+a, under+"address"),
				"a path that no other field uses",
				fmt.Sprintf("%s at %s and %s at %s", a, printable.Quote(paths[a]), b,
					printable.Quote(paths[b])),
				"")
		}
	}
}

// resolveTLSFiles resolves the paths under tls against the folder of the deployment file. It
// reads the files, so that errors show before the first request.
func (r *crossCheck) resolveTLSFiles() {
	tls := &r.file.TLS
	for _, path := range []*string{&tls.CAFile, &tls.ClientCert, &tls.ClientKey} {
		if *path != "" && !filepath.IsAbs(*path) {
			*path = filepath.Join(r.dir, *path)
		}
	}
	switch _, key, err := tls.Config(); {
	case tls.ClientCert == "" && tls.ClientKey != "":
		r.AddProblem("tls.client_cert", "required with client_key, but missing",
			"add client_cert: client.pem")
	case tls.ClientCert != "" && tls.ClientKey == "":
		r.AddProblem("tls.client_key", "required with client_cert, but missing",
			"add client_key: client.key")
	case err != nil:
		r.AddProblem(key, err.Error(), "a relative path starts from the folder of the deployment file")
	}
}
