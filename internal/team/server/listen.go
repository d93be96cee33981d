package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"cairn/internal/team/wire"
)

// ErrExposed says that passwords and tokens would go over a network in clear.
var ErrExposed = errors.New("others could read what is sent")

// ErrConfig says that a setting is not usable.
var ErrConfig = errors.New("the configuration is not usable")

func (s *Server) listen(ctx context.Context) error {
	c := &s.config
	if c.Listen == "" {
		c.Listen = wire.DefaultListen
	}
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return fmt.Errorf("%w: listen %q: host:port is wanted, as in %s", ErrConfig, c.Listen, wire.DefaultListen)
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("%w: listen %q: the port is a number from 0 to 65535", ErrConfig, c.Listen)
	} else if c.TLS.Host != "" && n != 443 {
		s.log.Warn("certificates are only issued to port 443 of the public address: something has to forward it here", "listen", c.Listen)
	}
	if s.certs, err = c.TLS.load(); err != nil {
		return err
	}
	if s.certs == nil && !c.Insecure && !loopbackHost(host) {
		return fmt.Errorf("%w on %s: it is not the loopback, and there is no TLS", ErrExposed, c.Listen)
	}
	if err := CheckURL(c.URL); err != nil {
		return err
	}
	var lc net.ListenConfig
	if s.listener, err = lc.Listen(ctx, "tcp", c.Listen); err != nil {
		return fmt.Errorf("cannot listen: %w", err)
	}
	if s.url = strings.TrimRight(c.URL, "/"); s.url == "" {
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
		return fmt.Errorf("%w: url: https://NAME is wanted, without a path", ErrConfig)
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
