package reference

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

const dateTimeMillis = "2006-01-02T15:04:05.000Z07:00"

// export answers POST /v1/reports/quote-statement/exports. A request that is rejected is not remembered by replay
// protection; one that passes becomes a file.
func (q *call) export() {
	if !q.authenticated() {
		return
	}
	q.nonce, _ = q.headerID("nonce", "header.nonce", true)
	q.transaction = strings.ToLower(q.r.Header.Get("x-transaction-uuid"))
	q.context("x-lang", "x-product-target-user-uuid")
	q.wallet()
	q.schema()
	if q.g.choices.RejectQuery && q.r.URL.RawQuery != "" {
		q.wrong(0, "query.unknown", "", nil, "this operation has no query parameters")
	}
	q.readObject()
	if q.values = q.body; q.body != nil {
		q.readSelection()
	}
	if q.refused() {
		return
	}
	q.file = &file{
		ID: q.g.newFileID(), Caller: q.caller, Owner: q.runsAs, Selection: q.selection, Created: q.g.now(),
	}
	if !q.fresh() {
		q.refuse(q.g.choices.BlockStatus, "replayed")
		return
	}
	q.answer("exported", q.g.choices.ExportStatus, object{
		"file_id": q.file.ID, "file_state": q.g.stateObject(queued),
		"created_at": q.file.Created.UTC().Format(dateTimeMillis),
	})
}

func (g *Gateway) newFileID() string {
	if g.choices.NumericIDs {
		return strconv.FormatUint(rand.Uint64N(9e15)+1e15, 10)
	}
	return uuid.NewString()
}

// wallet takes the wallet that an export reads: the default one where the header is absent or empty.
func (q *call) wallet() {
	const header = "x-wallet-uuid"
	value := strings.ToLower(q.r.Header.Get(header))
	wallets := q.runsAs.person.wallets
	q.selection.Wallet, q.selection.Named = wallets[0], value != ""
	switch {
	case slices.Contains(wallets, value):
		q.selection.Wallet = value
	case value != "" && !uuidShape.MatchString(value):
		q.wrong(0, "header.wallet.format", header, value, "expected a UUID")
	case value != "":
		q.wrong(0, "header.wallet.unknown", header, value, "no wallet of this user has this ID")
	}
}

// file is an export; its rows are only computed when they are fetched.
type file struct {
	ID            string
	Caller, Owner *user // who asked for it, and whose quotes it holds
	Selection     selection
	Created       time.Time
}

// fileOf finds a file by its ID.
func (g *Gateway) fileOf(id string) (f *file) {
	g.store.step(func() {
		if found, _ := g.store.files.get(id); found.Owner != nil {
			f = &found
		}
	})
	return f
}
