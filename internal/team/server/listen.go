package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"

	"golang.org/x/crypto/acme/autocert"

	"cairn/internal/team/server/access"
	"cairn/internal/team/wire"
)

// ErrExposed says that passwords and tokens would go over a network in clear.
var ErrExposed = errors.New("others could read what is sent")

// ErrConfig says that a setting is not usable.
var ErrConfig = errors.New("the configuration is not usable")

// Check returns what is wrong with a configuration. It opens nothing but
// certificates: ask before the store is opened, or a mistake leaves an empty one.
func (c Config) Check() error {
	host, port, err := net.SplitHostPort(c.listen())
	if err != nil {
		return fmt.Errorf("%w: listen %q must be host:port, such as %s", ErrConfig, c.Listen, wire.DefaultListen)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("%w: listen %q: the port is a number from 0 to 65535", ErrConfig, c.Listen)
	}
	certs, err := c.TLS.load()
	if err != nil {
		return err
	}
	if certs == nil && !c.Insecure && !loopbackHost(host) {
		return fmt.Errorf("%w on %s: it is not the loopback, and there is no TLS", ErrExposed, c.Listen)
	}
	if n := len(c.JWTSecret); n > 0 && n < access.MinSecret {
		return fmt.Errorf("%w: the secret that signs tokens has %d bytes; it must have at least %d", ErrConfig, n, access.MinSecret)
	}
	return CheckURL(c.URL)
}

func (c Config) listen() string { return cmp.Or(c.Listen, wire.DefaultListen) }

func (s *Server) listen(ctx context.Context) (err error) {
	if err := s.config.Check(); err != nil {
		return err
	}
	if s.certs, err = s.config.TLS.load(); err != nil {
		return err
	}
	var lc net.ListenConfig
	if s.listener, err = lc.Listen(ctx, "tcp", s.config.listen()); err != nil {
		return fmt.Errorf("cannot listen: %w", err)
	}
	host, _, _ := net.SplitHostPort(s.config.listen())
	if s.url = strings.TrimRight(s.config.URL, "/"); s.url == "" {
		s.url = s.ownURL(host)
	}
	return nil
}

// ownURL is the address by which this machine reaches itself.
func (s *Server) ownURL(host string) string {
	scheme := "http"
	if s.certs != nil {
		scheme = "https"
	}
	switch {
	case s.config.TLS.Host != "":
		return scheme + "://" + s.config.TLS.Host
	case host == "" || host == "0.0.0.0" || host == "::":
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, strconv.Itoa(s.listener.Addr().(*net.TCPAddr).Port))
}

// CheckURL returns what is wrong with a public URL; "" is none.
func CheckURL(text string) error {
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.Trim(u.Path, "/") != "" {
		return fmt.Errorf("%w: url must be https://NAME, without a path", ErrConfig)
	}
	return nil
}

// loopbackHost says whether only this machine can reach a host to listen on.
func loopbackHost(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// TLS says where certificates come from: two files, or Let's Encrypt for a host.
type TLS struct {
	Cert, Key string // PEM files
	Host      string
	Dir       string // where Let's Encrypt's are kept
}

// certificates are those in use; the files can be read again.
type certificates struct {
	from    TLS
	current atomic.Pointer[tls.Certificate]
	auto    *autocert.Manager
}

// load returns nil where no TLS is wanted.
func (t TLS) load() (*certificates, error) {
	switch {
	case t.Cert == "" && t.Key == "" && t.Host == "":
		return nil, nil
	case t.Host != "" && (t.Cert != "" || t.Key != ""):
		return nil, fmt.Errorf("%w: either certificates of one's own or autocert", ErrConfig)
	case t.Host != "":
		return &certificates{from: t, auto: &autocert.Manager{
			Prompt: autocert.AcceptTOS, HostPolicy: autocert.HostWhitelist(t.Host), Cache: autocert.DirCache(t.Dir),
		}}, nil
	case t.Cert == "" || t.Key == "":
		return nil, fmt.Errorf("%w: a certificate and its key belong together", ErrConfig)
	}
	c := &certificates{from: t}
	return c, c.reload()
}

// reload reads the files again; when they are no good, the old ones stay.
func (c *certificates) reload() error {
	if c.auto != nil {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(c.from.Cert, c.from.Key)
	if err != nil {
		return fmt.Errorf("%w: certificate %s with key %s: %w", ErrConfig, c.from.Cert, c.from.Key, err)
	}
	c.current.Store(&pair)
	return nil
}

func (c *certificates) config() *tls.Config {
	if c.auto != nil {
		out := c.auto.TLSConfig()
		out.MinVersion = tls.VersionTLS12
		return out
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current.Load(), nil },
	}
}

// Reload reads the certificates' files again.
func (s *Server) Reload() error {
	if s.certs == nil {
		return nil
	}
	return s.certs.reload()
}

// Notify tells systemd how far the server is, where it asks by NOTIFY_SOCKET
// (sd_notify(3): one datagram); elsewhere it does nothing.
func Notify(getenv func(string) string, state string) {
	name := getenv("NOTIFY_SOCKET")
	if name == "" {
		return
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		return
	}
	defer conn.Close()
	_, _ = conn.Write([]byte(state))
}
