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

// crossCheck judges what takes more than one key to see.
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

// normaliseHost writes the host of base_url as it is sent, and so recorded.
func (r *crossCheck) normaliseHost() {
	u, err := url.Parse(r.file.BaseURL)
	if err != nil {
		return // refused by its form
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

// addProblem notes a problem with a key.
func (r *crossCheck) addProblem(key, expected, found, hint string) {
	r.AddProblem(key, "expected "+expected+", found "+found, hint)
}

func (r *crossCheck) checkCredentials() {
	c := &r.file.Credentials
	settle := func(name string, credential *Credential) {
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
		settle(name, credential)
	}
	for i, credential := range r.file.Load.Credentials {
		settle(fmt.Sprintf("load.credentials[%d]", i), credential)
	}
	if c.PlatformToken == nil && c.APIKey == nil {
		r.addProblem("credentials", "at least one of platform_token and api_key", "neither",
			"ordinary requests need one: platform_token: ${GATEWAY_TOKEN}")
	}
	// What another user may not do would be taken for a violation if the run itself were that user.
	for given, who := range map[*Credential]string{
		c.Unprivileged: "somebody who may not create representatives",
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

// checkCommandExists makes sure that the program of a credential is there.
func (r *crossCheck) checkCommandExists(key string, c *Credential) {
	if c.Issuer == nil || len(c.Issuer.Command) == 0 {
		return
	}
	program := c.Issuer.Command[0]
	if strings.ContainsRune(program, filepath.Separator) && !filepath.IsAbs(program) {
		program = filepath.Join(r.dir, program) // as it is found from there
	}
	if _, err := exec.LookPath(program); err != nil {
		r.addProblem(key+".command", "a program that can be run",
			printable.Quote(program)+", which cannot be run",
			"check the path, and that the file is executable")
	}
}

// firstGivenKey is the first of some keys that the file has: the default of one may meet the value
// of another.
func (r *crossCheck) firstGivenKey(keys ...string) string {
	return keys[max(slices.IndexFunc(keys, r.Has), 0)]
}

// checkValuesDiffer reports keys that hold the same where each must hold its own, whatever its
// case.
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

// checkNamesDiffer makes sure that what must be told apart has different names and IDs.
func (r *crossCheck) checkNamesDiffer() {
	h, f, c := r.file.LegalRepresentative.Headers, r.file.Fixtures, r.file.Export.CSV.Columns
	own := []string{h.TransactionID, h.Nonce, h.Language, h.OnBehalfOf}
	r.checkValuesDiffer("a header of its own", "legal_representative.headers.",
		[]string{"transaction_id", "nonce", "language", "on_behalf_of"}, own...)
	for name := range r.file.Headers {
		if slices.ContainsFunc(own, func(taken string) bool { return strings.EqualFold(name, taken) }) {
			r.addProblem("headers."+name, "a header that no rule is about", "one that creations carry", "")
		}
	}
	r.checkValuesDiffer("a column of its own", "export.csv.columns.",
		[]string{"id", "client_id", "wallet_id", "quote_created_at", "settled_date"},
		c.ID, c.ClientID, c.WalletID, c.QuoteCreatedAt, c.SettledDate)
	r.checkValuesDiffer("a shareholder of another legal person", "fixtures.",
		[]string{"shareholder_id", "foreign_shareholder_id"},
		f.ShareholderID, f.ForeignShareholderID)
	r.checkValuesDiffer("another wallet than the default", "fixtures.",
		[]string{"default_wallet_id", "other_wallet_id"},
		f.DefaultWalletID, f.OtherWalletID)
}

// checkFieldsDoNotOverlap makes sure that no field overwrites another in the request.
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

// resolveTLSFiles makes the paths of tls count from the folder of the deployment file, and reads
// them, so that a wrong one is seen before the first request.
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
