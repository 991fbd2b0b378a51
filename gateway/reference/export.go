package reference

import (
	"net/http"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
)

// export answers POST /v1/reports/quote-statement/exports. A request that is rejected is not remembered by replay
// protection; one that passes becomes a file.
func (g *Gateway) export(w http.ResponseWriter, r *http.Request) {
	caller := g.authenticated(w, r, "export")
	if caller == nil {
		return
	}
	raw, tooLarge, err := readBody(w, r, maxJSON)
	if err != nil && !tooLarge {
		return // the client is gone
	}
	nonce, issues := headerID(r, "nonce", "header.nonce", true)
	issues = append(issues, languageIssues(r, "x-lang")...)
	issues = append(issues, mediaIssues(r)...)
	if tooLarge {
		g.refuseInvalid(w, r, "export", append(issues, issue{"body.size", "", "the body is larger than 1 MiB"}))
		return
	}
	runsAs, more := g.behalf(r, caller, "x-product-target-user-uuid")
	issues = append(issues, more...)
	wallet, more := g.walletOf(r, runsAs)
	issues = append(issues, more...)
	mode, more := spellingOf(r)
	issues = append(issues, more...)
	if g.choices.RejectQuery && r.URL.RawQuery != "" {
		issues = append(issues, issue{"query.unknown", "", "this operation has no query parameters"})
	}
	body, more := parseObject(raw)
	issues = append(issues, more...)
	wanted := selection{Wallet: wallet, named: r.Header.Get("x-wallet-uuid") != "", sort: byCreated}
	if body != nil {
		more := wanted.read(g, body)
		issues = append(issues, more...)
	}
	if body != nil && len(body) == 0 && g.fault("export.success.empty_object_rejected") {
		issues = append(issues, issue{"body.empty", "", "found an empty object"})
	}
	if strings.Contains(wanted.client, "'") && g.fault("export.success.apostrophe_500") ||
		strings.ContainsFunc(wanted.client, func(r rune) bool { return r > unicode.MaxASCII }) && g.fault("export.success.beyond_ascii_500") {
		g.refuse(w, r, http.StatusInternalServerError, "internal")
		return
	}
	rd := &reading{values: body}
	issues = append(g.forgiven("export", issues), g.unwelcome("export", rd, r)...)
	if len(issues) > 0 {
		g.refuseInvalid(w, r, "export", issues)
		return
	}
	if !g.replays.accept(g, g.sightingOf(r, runsAs, nonce, raw, body), mode) {
		g.block(w, r)
		return
	}
	f := &file{id: uuid.NewString(), caller: caller, owner: runsAs, wanted: wanted, created: g.now()}
	if !g.fault("export.file.lost") {
		g.shelf.put(f)
	}
	g.answerExport(w, f)
}

func spellingOf(r *http.Request) (spelling, []issue) {
	value := r.Header.Get(schemaHeader)
	for s, known := range spellings {
		if value == known {
			return spelling(s), nil
		}
	}
	return 0, []issue{{"header.schema.set", schemaHeader, "expected nonce, x-transaction-uuid or both joined by &"}}
}

// walletOf is the wallet that an export reads: the default one where the header is absent or empty.
func (g *Gateway) walletOf(r *http.Request, runsAs *user) (string, []issue) {
	const header = "x-wallet-uuid"
	wallets := runsAs.person.wallets
	value := r.Header.Get(header)
	switch {
	case value == "" && r.Header["X-Wallet-Uuid"] != nil && g.fault("export.header.wallet_empty_rejected"):
		return "", []issue{{"header.wallet.empty", header, "found empty text"}}
	case value == "" && g.fault("export.wallet.default_is_the_other"):
		return wallets[1], nil
	case value == "" && g.fault("export.wallet.default_is_all"):
		return allWallets, nil
	case value == "" && g.fault("export.wallet.default_is_none"):
		return noWallet, nil
	case value == "":
		return wallets[0], nil
	case !uuidShape.MatchString(value):
		return wallets[0], []issue{{"header.wallet.format", header, "expected a UUID"}}
	}
	for _, wallet := range wallets {
		if equalFold(wallet, value) {
			if g.fault("export.wallet.ignored") {
				return wallets[0], nil
			}
			return wallet, nil
		}
	}
	return "", []issue{{"header.wallet.unknown", header, "no wallet of this user has this ID"}}
}

func (g *Gateway) block(w http.ResponseWriter, r *http.Request) {
	switch {
	case g.fault("replay.block_answered_200"):
		g.answer(w, http.StatusOK, object{"error": object{"code": "replayed"}})
	case g.fault("replay.block_answered_500"):
		g.refuse(w, r, http.StatusInternalServerError, "internal")
	case g.fault("replay.block_answered_302"):
		w.Header().Set("Location", "/")
		w.WriteHeader(http.StatusFound)
	case g.fault("replay.block_drops_connection"):
		breakConnection(w)
	default:
		g.refuse(w, r, g.choices.BlockStatus, "replayed")
	}
}

func (g *Gateway) answerExport(w http.ResponseWriter, f *file) {
	state := g.stateOf(f, f.created)
	if g.choices.FileDelay == 0 {
		state = g.underWay()
	}
	answer := object{
		"file_id": f.id, "file_state": g.stateObject(state),
		"created_at": f.created.UTC().Format(dateTimeMillis),
	}
	if g.fault("export.response.file_id_repeated") {
		g.shelf.alias(f, g.data.product)
		answer["file_id"] = g.data.product
	}
	for _, spoil := range g.broken.file {
		spoil(answer)
	}
	status := g.choices.ExportStatus
	if g.fault("export.success.answered_302") {
		status = http.StatusFound
	}
	switch {
	case g.fault("export.response.not_json"):
		w.Header().Set("Content-Type", "text/plain")
		w.WriteHeader(status)
		_, _ = w.Write([]byte("accepted"))
	case g.fault("export.response.list"):
		g.answer(w, status, []any{answer})
	default:
		g.answer(w, status, answer)
	}
}

const dateTimeMillis = "2006-01-02T15:04:05.000Z07:00"

// readyAt is when a file can be fetched.
func (g *Gateway) readyAt(f *file) time.Time { return f.created.Add(g.choices.FileDelay) }
