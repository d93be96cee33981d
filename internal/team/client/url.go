package client

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"cairn/internal/term"
)

// CleanURL is a server's address in the one form that it is compared and kept
// in: scheme and host in lower case, no default port, no slash at the end.
func CleanURL(text string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(text))
	switch {
	case err != nil || u.Host == "" || u.Hostname() == "":
		return "", &Error{Kind: ErrRefused, Message: fmt.Sprintf("%q is no address of a server; https://team.example.com is like one", text)}
	case u.Scheme != "https" && u.Scheme != "http":
		return "", &Error{Kind: ErrRefused, Message: fmt.Sprintf("%s: https is wanted", text)}
	case u.User != nil:
		return "", &Error{Kind: ErrRefused, Message: "the address of a server holds no user and no password"}
	case u.RawQuery != "" || u.Fragment != "":
		return "", &Error{Kind: ErrRefused, Message: fmt.Sprintf("%s: the address of a server ends before ? and #", text)}
	}
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	if port := u.Port(); scheme == "https" && port == "443" || scheme == "http" && port == "80" {
		host = strings.TrimSuffix(host, ":"+port)
	}
	return scheme + "://" + host + strings.TrimRight(u.EscapedPath(), "/"), nil
}

// plainAllowed refuses http to another machine: everyone between would read
// the token.
func (o Options) plainAllowed(base string) error {
	u, _ := url.Parse(base)
	if u.Scheme == "https" || o.InsecureHTTP || loopback(u.Hostname()) {
		return nil
	}
	return term.Hint(&Error{Kind: ErrRefused, Message: base + " is not encrypted, so it gets no token"},
		"use https, or set CAIRN_INSECURE_HTTP=1 in a network that you trust")
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// checkRedirect follows redirects on the same server only: the token is for it
// alone, and a page that a network shows instead of the server is no answer.
func (c *Client) checkRedirect(r *http.Request, via []*http.Request) error {
	if len(via) >= 5 || !strings.EqualFold(r.URL.Host, via[0].URL.Host) || r.URL.Scheme != via[0].URL.Scheme {
		return http.ErrUseLastResponse
	}
	return nil
}

func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
		TLSClientConfig:       &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:   5 * time.Second,
		ForceAttemptHTTP2:     true,
		MaxIdleConnsPerHost:   10,
		IdleConnTimeout:       30 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
}
