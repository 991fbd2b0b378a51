package redact

import (
	"net/url"
	"slices"
	"strings"
)

// IsSecretHeader reports whether the value of a header is always a credential.
func IsSecretHeader(name string) bool {
	return slices.Contains([]string{
		"authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key",
		"apikey", "x-auth-token", "x-access-token", "x-amz-security-token", "x-csrf-token",
	}, strings.ToLower(name))
}

// isAuthScheme reports whether a word is an authentication scheme, which a credential follows.
func isAuthScheme(word string) bool {
	return slices.Contains([]string{
		"bearer", "basic", "digest", "token", "apikey", "negotiate", "ntlm", "jwt", "hmac", "mac",
		"hoba", "dpop", "aws4-hmac-sha256",
	}, strings.ToLower(word))
}

// SplitScheme splits the value of a header into an authentication scheme and what follows it.
// scheme is empty, and secret the whole value, unless both are there.
func SplitScheme(value string) (scheme, secret string) {
	scheme, secret, _ = strings.Cut(value, " ")
	if secret == "" || !isAuthScheme(scheme) {
		return "", value
	}
	return scheme, secret
}

// isSecretParameter reports whether a query parameter holds a credential or presigns an address.
func isSecretParameter(name string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	name = strings.TrimPrefix(strings.ToLower(name), "amp;")
	name = strings.NewReplacer("-", "", "_", "", ".", "").Replace(name)
	return strings.HasSuffix(name, "sig") || slices.Contains([]string{
		"key", "code", "auth", "jwt", "hmac", "hash", "policy", "keypairid", "googleaccessid",
		"awsaccesskeyid",
	}, name) || slices.ContainsFunc([]string{
		"apikey", "token", "signature", "secret", "password", "passwd", "authorization", "credential",
		"accesskey",
	}, func(part string) bool { return strings.Contains(name, part) })
}

// IsPresigned reports whether a URL carries its own authorization.
func IsPresigned(u *url.URL) bool {
	for name := range u.Query() {
		if isSecretParameter(name) {
			return true
		}
	}
	return false
}
