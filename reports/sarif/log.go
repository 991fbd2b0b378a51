package sarif

// The part of SARIF that is written. Libraries of it leave an empty list of results out, which means that nothing was
// scanned, or write every list that there could be.
type (
	log struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []run  `json:"runs"`
	}
	run struct {
		Tool struct {
			Driver driver `json:"driver"`
		} `json:"tool"`
		Automation  automation   `json:"automationDetails"`
		Invocations []invocation `json:"invocations"`
		Results     []result     `json:"results"`
	}
	driver struct {
		Name    string       `json:"name"`
		Version string       `json:"version,omitempty"`
		Rules   []descriptor `json:"rules"`
	}
	automation struct {
		ID string `json:"id"`
	}
	descriptor struct {
		ID            string        `json:"id"`
		Short         text          `json:"shortDescription"`
		Full          text          `json:"fullDescription"`
		Help          text          `json:"help"`
		Configuration configuration `json:"defaultConfiguration"`
		Properties    properties    `json:"properties"`
	}
	configuration struct {
		Level string `json:"level"`
	}
	properties struct {
		Tags     []string `json:"tags"`
		Severity string   `json:"security-severity,omitempty"`
	}
	invocation struct {
		Successful    bool           `json:"executionSuccessful"`
		Start         string         `json:"startTimeUtc"`
		End           string         `json:"endTimeUtc"`
		Command       string         `json:"commandLine,omitempty"`
		Notifications []notification `json:"toolExecutionNotifications,omitempty"`
	}
	notification struct {
		Message text   `json:"message"`
		Level   string `json:"level"`
	}
	result struct {
		Rule         string            `json:"ruleId"`
		Index        int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      text              `json:"message"`
		Locations    []location        `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Suppressions []suppression     `json:"suppressions,omitempty"`
	}
	location struct {
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region struct {
				StartLine int `json:"startLine"`
			} `json:"region"`
		} `json:"physicalLocation"`
	}
	suppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
	text struct {
		Text string `json:"text"`
	}
)
