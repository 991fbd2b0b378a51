package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/redact"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/internal/token"
)

// CredentialError reports a credential that could not be obtained. It contains no secret.
type CredentialError struct {
	Key, Reason string
	Proxy       *ProxyError // that refused the way to the token endpoint; nil: none did
}

func (e *CredentialError) Error() string {
	text := e.Key + ": " + e.Reason
	if e.Proxy != nil {
		text += "; " + e.Proxy.NextStep()
	}
	return text
}

const (
	maxIssueTime  = 30 * time.Second // for one run of a command or one request to a token endpoint
	maxTokenBytes = 64 << 10
)

// ObtainCredentials obtains every credential that a command or a token endpoint issues, and
// sets its Value. Calling it again has no effect. The error is a *CredentialError. Without it,
// the first request that needs a credential obtains it.
func ObtainCredentials(ctx context.Context, dep *deployment.File) error {
	for _, credential := range dep.AllCredentials() {
		if credential.Issuer == nil {
			continue
		}
		value, err := obtainToken(ctx, dep, credential)
		if err != nil {
			return err
		}
		if credential.Value == "" {
			credential.Value = value
		}
	}
	return nil
}

// AuthorizationHeader returns the header that carries a credential. It renews an issued
// credential before it expires. It is safe for concurrent use. The error is a *CredentialError.
func AuthorizationHeader(
	ctx context.Context, dep *deployment.File, credential *deployment.Credential,
) (name, value string, err error) {
	secret := credential.Value
	if credential.Issuer != nil {
		if secret, err = obtainToken(ctx, dep, credential); err != nil {
			return "", "", err
		}
	}
	name, value = credentialHeader(credential.Method, secret)
	return name, value, nil
}

func credentialHeader(method deployment.AuthMethod, secret string) (name, value string) {
	if method == deployment.AuthAPIKey {
		return "x-api-key", secret
	}
	return "Authorization", "Bearer " + secret
}

// obtainToken returns the current value of a credential. Concurrent callers share one request
// to the issuer. If its caller is interrupted, the next caller sends another.
func obtainToken(
	ctx context.Context, dep *deployment.File, credential *deployment.Credential,
) (string, error) {
	value, err := credential.Issuer.Token(ctx, func(ctx context.Context) (string, time.Time, error) {
		ctx, cancel := context.WithTimeoutCause(ctx, maxIssueTime, errors.New("no answer in time"))
		defer cancel()
		got, err := issueToken(ctx, dep, credential.Issuer)
		if err != nil {
			return "", time.Time{}, err
		}
		if at, known := token.Expiry(got.AccessToken); known && got.Expiry.IsZero() {
			got.Expiry = at
		}
		return got.AccessToken, got.Expiry, nil
	})
	switch {
	case ctx.Err() != nil:
		return "", &CredentialError{
			Key: credential.SettingKey(), Reason: "interrupted before a token was issued",
		}
	case err != nil:
		failed := &CredentialError{
			Key:    credential.SettingKey(),
			Reason: printable.TruncateToWidth(redact.New(dep).Text(err.Error()), 300),
		}
		_ = errors.As(err, &failed.Proxy)
		return "", failed
	}
	return value, nil
}

func issueToken(
	ctx context.Context, dep *deployment.File, issuer *deployment.Issuer,
) (got *oauth2.Token, err error) {
	if issuer.OAuth2 != nil {
		got, err = tokenFromEndpoint(ctx, dep, issuer.OAuth2)
	} else {
		got, err = tokenFromCommand(ctx, issuer)
	}
	odd := func(c rune) bool { return c <= ' ' || c >= 0x7f }
	if err == nil && (got.AccessToken == "" || strings.ContainsFunc(got.AccessToken, odd)) {
		return nil, errors.New(
			"what was issued is not a token: it is empty or contains characters other than printable ASCII")
	}
	return got, err
}

// tokenFromCommand runs a program that prints a token. Its stderr may hold a secret, so it is
// not shown.
func tokenFromCommand(ctx context.Context, issuer *deployment.Issuer) (*oauth2.Token, error) {
	// #nosec: asked for in the deployment file
	command := exec.CommandContext(ctx, issuer.Command[0], issuer.Command[1:]...)
	command.Dir = issuer.Dir
	command.WaitDelay = time.Second
	out := &limitedBuffer{}
	command.Stdout = out
	err := command.Run()
	switch {
	case out.Len() > maxTokenBytes:
		err = fmt.Errorf("it prints more than %d bytes", maxTokenBytes)
	case err != nil && ctx.Err() != nil:
		err = fmt.Errorf("no answer within %s", maxIssueTime)
	}
	if err != nil {
		return nil, fmt.Errorf("the command %s failed: %w; run it by hand to see what it says",
			issuer.Command[0], err)
	}
	text, err := runfolder.StripBOM(out.Bytes())
	if err != nil {
		return nil, fmt.Errorf("the output of the command %s cannot be read: %w", issuer.Command[0], err)
	}
	return &oauth2.Token{AccessToken: strings.TrimSpace(string(text))}, nil
}

// limitedBuffer is a buffer that fails beyond maxTokenBytes.
type limitedBuffer struct{ bytes.Buffer }

func (o *limitedBuffer) Write(p []byte) (int, error) {
	n, _ := o.Buffer.Write(p) // it never fails
	if o.Len() > maxTokenBytes {
		return n, io.ErrShortWrite
	}
	return n, nil
}

// tokenFromEndpoint requests a token with client credentials (RFC 6749, section 4.4).
func tokenFromEndpoint(
	ctx context.Context, dep *deployment.File, o *deployment.OAuth2,
) (*oauth2.Token, error) {
	transport, err := NewTransport(dep, maxIssueTime)
	if err != nil {
		return nil, err
	}
	defer transport.CloseIdleConnections()
	ctx = context.WithValue(ctx, oauth2.HTTPClient, &http.Client{
		Transport: transport,
		// Never send the secret to another address.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	})
	conf := clientcredentials.Config{
		ClientID: o.ClientID, ClientSecret: o.ClientSecret, TokenURL: o.TokenURL,
		Scopes: strings.Fields(o.Scope),
	}
	// Token sends the secret in a header or in the body, whichever the endpoint accepts.
	got, err := conf.Token(ctx)
	var refused *oauth2.RetrieveError
	var proxy *ProxyError
	switch {
	case err == nil:
		return got, nil
	case errors.As(err, &proxy):
		return nil, fmt.Errorf("the token endpoint cannot be reached: %w", proxy)
	case errors.As(err, &refused) && refused.Response.StatusCode == http.StatusProxyAuthRequired:
		proxy = &ProxyError{Proxy: "on the way", Status: http.StatusProxyAuthRequired}
		return nil, fmt.Errorf("the token endpoint cannot be reached: %w", proxy)
	case errors.As(err, &refused):
		return nil, fmt.Errorf("the token endpoint answered %s",
			strings.TrimSpace(refused.Response.Status+" "+refused.ErrorCode))
	}
	return nil, fmt.Errorf("the token endpoint gave no token: %w", err)
}
