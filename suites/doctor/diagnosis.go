package doctor

import (
	"net/http"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/target"
)

// diagnose finds the key of the deployment file that the refusal of a valid creation puts in doubt: by its status, else
// by the names that the answer mentions.
func (e *examiner) diagnose(x *client.Exchange) Finding {
	f := Finding{
		Topic: "creation", Name: "legal_representative", State: Broken, Operations: []string{"create"},
		Text: "a valid creation got " + target.Quoted(x), Blocks: []string{"fixtures.shareholder_id"},
	}
	main := "credentials." + e.dep.Credentials.Main().Name
	switch {
	case x.Err != nil:
		f.Name, f.Do = "creation", adviceFor(x.Err)
	case x.Status == http.StatusUnauthorized:
		f.Topic, f.Name = "credentials", main
		f.Text, f.Do = e.refused(e.dep.Credentials.Main(), f.Text)
	case x.Status == http.StatusForbidden:
		f.Topic, f.Name, f.Do = "credentials", main, "give a credential whose user may create legal representatives"
	case misplaced(x) && !control.AboutShareholder(x):
		f.Name, f.Text = "legal_representative.path", "POST "+x.Recorded.URL+" got "+target.Quoted(x)
		f.Do = "check the path: creations are not served there"
		if x.Status == http.StatusNotFound {
			f.Do += ", or fixtures.shareholder_id does not exist"
		}
	case x.Transient() || x.Status >= 500:
		f.Name, f.Do = "creation", advice(x)
	default:
		if f.Name, f.Do = control.Suspect(e.dep, x); f.Name == "" {
			f.Name = "legal_representative"
			f.Do = "compare its headers, fields and field_types, and fixtures.shareholder_id, with what the answer says"
		}
	}
	if strings.HasPrefix(f.Name, "fixtures.") {
		f.Topic = "fixtures"
	}
	return f
}
