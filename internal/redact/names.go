package redact

import (
	"net/url"
	"slices"
	"strings"
)

// SecretHeader reports whether the value of a header is a credential whatever it holds.
func SecretHeader(name string) bool {
	return slices.Contains([]string{
		"authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "apikey", "x-auth-token",
		"x-access-token", "x-amz-security-token", "x-csrf-token",
	}, strings.ToLower(name))
}

// AuthScheme reports whether a word is the scheme of an authentication, after which its credential stands.
func AuthScheme(word string) bool {
	return slices.Contains([]string{
		"bearer", "basic", "digest", "token", "apikey", "negotiate", "ntlm", "jwt", "hmac", "mac", "hoba", "dpop",
		"aws4-hmac-sha256",
	}, strings.ToLower(word))
}

// sensitiveParameter reports whether a query parameter carries a credential or makes an address a presigned one.
func sensitiveParameter(name string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	name = strings.TrimPrefix(strings.ToLower(name), "amp;")
	name = strings.NewReplacer("-", "", "_", "", ".", "").Replace(name)
	return strings.HasSuffix(name, "sig") || slices.Contains([]string{
		"key", "code", "auth", "jwt", "hmac", "hash", "policy", "keypairid", "googleaccessid", "awsaccesskeyid",
	}, name) || slices.ContainsFunc([]string{
		"apikey", "token", "signature", "secret", "password", "passwd", "authorization", "credential", "accesskey",
	}, func(part string) bool { return strings.Contains(name, part) })
}

// Presigned reports whether an address authorises itself.
func Presigned(u *url.URL) bool {
	for name := range u.Query() {
		if sensitiveParameter(name) {
			return true
		}
	}
	return false
}
