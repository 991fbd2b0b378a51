package doctor

import (
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/suites/target"
)

// names warns of fields that were sent under a name which the deployment file gives, and that the record of the accepted
// creation lacks: a deployment that ignores what it does not know accepts whatever stands under a wrong name. Records
// that show nothing of the kind prove nothing.
func (e *examiner) names(as *target.Target, x *client.Exchange) {
	record, err := representative.Parse(x.Body)
	if err != nil {
		return
	}
	sent := as.Creation("names of fields").Draft.Names()
	var absent []string
	shown := 0
	for _, field := range deployment.LogicalFields() {
		path := representative.ResponsePath(field)
		if path == "" || strings.HasPrefix(field, "address") || !slices.Contains(sent, field) {
			continue
		}
		if value, there := record.Get(path); there && value != nil {
			shown++
		} else if e.dep.Has("legal_representative.fields."+field) && !e.dep.Documented(field) {
			absent = append(absent, field)
		}
	}
	if shown < len(absent) {
		return
	}
	for _, field := range absent {
		e.found("creation", "legal_representative.fields."+field, Warning,
			"what was sent as "+e.dep.LegalRepresentative.Fields[field]+" does not come back in the record",
			"check its name in the request: a wrong one is ignored, and "+field+" counts as not validated")
	}
}
