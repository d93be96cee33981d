package server

import (
	"crypto/tls"
	"fmt"
	"sync/atomic"

	"golang.org/x/crypto/acme/autocert"
)

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
