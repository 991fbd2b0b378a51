package target

import "github.com/gateassay/gateassay/internal/client"

// Operation is one of the two that the API offers.
type Operation = client.Operation

// The operations.
const (
	OpCreate = client.Create // creates a legal representative
	OpExport = client.Export // starts an export
)

// Exchange is a request that was sent and what came of it.
type Exchange = client.Exchange
