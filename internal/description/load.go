// Package description reads the OpenAPI description of a gateway and proposes settings of a
// deployment file: the names that the API document describes only by meaning.
package description

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/gateassay/gateassay/internal/runfolder"
)

// maxDescriptionBytes is the maximum size of a description, in bytes.
const maxDescriptionBytes = 16 << 20

// Load reads an OpenAPI 3 description in YAML or JSON from a file or an http or https URL. It
// must be complete: external references are refused.
func Load(ctx context.Context, from string) (*openapi3.T, error) {
	data, at, err := read(ctx, from)
	if err != nil {
		return nil, err
	}
	doc, err := openapi3.NewLoader().LoadFromData(data)
	outside := (*openapi3.DisallowedExternalRefError)(nil)
	switch {
	case errors.As(err, &outside):
		return nil, fmt.Errorf("it refers to %q: bundle it into one file first", outside.Ref)
	case err != nil:
		return nil, fmt.Errorf("expected an OpenAPI description: %w", err)
	case !strings.HasPrefix(doc.OpenAPI, "3."):
		return nil, errors.New("expected OpenAPI 3.0 or later: convert Swagger 2.0 first")
	}
	for _, server := range doc.Servers { // may be relative to the description
		if absolute, err := at.Parse(server.URL); err == nil && !strings.Contains(server.URL, "{") {
			server.URL = absolute.String()
		}
	}
	return doc, nil
}

func read(ctx context.Context, from string) ([]byte, *url.URL, error) {
	at, err := url.Parse(from)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" {
		data, err := runfolder.ReadBounded(from, maxDescriptionBytes)
		return data, &url.URL{}, err
	}
	asker := http.Client{
		Timeout: 30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // it may lead to another host
		},
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return nil, nil, err
	}
	answer, err := asker.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxDescriptionBytes+1))
	switch {
	case answer.StatusCode != http.StatusOK:
		err = fmt.Errorf("expected the description, found %s: download it and name the file",
			answer.Status)
	case len(data) > maxDescriptionBytes:
		err = fmt.Errorf("expected at most %d MiB, found more", maxDescriptionBytes>>20)
	}
	return data, at, err
}
