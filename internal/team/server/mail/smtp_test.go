package mail

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"fmt"
	"math/big"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// A server speaks as much SMTP as a test needs. say is asked before each
// command is answered: an answer of its own is sent instead, and "drop" ends
// the connection.
type server struct {
	t        *testing.T
	listener net.Listener
	cert     tls.Certificate
	roots    *x509.CertPool
	noTLS    bool // STARTTLS is not offered
	wrapped  bool // TLS from the first byte

	mu    sync.Mutex
	say   func(command string) string
	got   []received
	seen  []string // commands, in order
	mails chan received
}

type received struct {
	from, to, data string
	secure         bool
	login          string // user and password
}

func newServer(t *testing.T) *server {
	s := &server{t: t, mails: make(chan received, 100)}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "mail"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	s.cert = tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
	parsed, _ := x509.ParseCertificate(der)
	s.roots = x509.NewCertPool()
	s.roots.AddCert(parsed)
	if s.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.listener.Close() })
	go func() {
		for {
			conn, err := s.listener.Accept()
			if err != nil {
				return
			}
			go s.serve(conn)
		}
	}()
	return s
}

// config reaches the server.
func (s *server) config() Config {
	return Config{Host: "127.0.0.1", Port: s.listener.Addr().(*net.TCPAddr).Port, User: "cairn", Password: "secret-password", From: "Cairn <cairn@team.test>",
		TLSConfig: &tls.Config{RootCAs: s.roots, ServerName: "127.0.0.1"}}
}

func (s *server) set(f func()) { s.mu.Lock(); defer s.mu.Unlock(); f() }

func (s *server) answer(command string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, command)
	if s.say == nil {
		return ""
	}
	return s.say(command)
}

func (s *server) saw(prefix string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.seen {
		if strings.HasPrefix(c, prefix) {
			n++
		}
	}
	return n
}

func (s *server) serve(conn net.Conn) {
	defer func() { conn.Close() }()
	var mail received
	var wrapped, noTLS bool
	s.set(func() { wrapped, noTLS = s.wrapped, s.noTLS })
	if wrapped {
		conn, mail.secure = tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{s.cert}}), true
	}
	in := bufio.NewReader(conn)
	reply := func(text string) { fmt.Fprintf(conn, "%s\r\n", text) }
	first := s.answer("CONNECT")
	if first == "drop" {
		return
	} else if first != "" {
		reply(first)
		return
	}
	reply("220 mail.test ESMTP")
	for {
		text, err := in.ReadString('\n')
		if err != nil {
			return
		}
		text = strings.TrimRight(text, "\r\n")
		if other := s.answer(text); other == "drop" {
			return
		} else if other != "" {
			reply(other)
			continue
		}
		verb, rest, _ := strings.Cut(text, " ")
		switch strings.ToUpper(verb) {
		case "EHLO", "HELO":
			lines := []string{"250-mail.test", "250-8BITMIME"}
			if !mail.secure && !noTLS {
				lines = append(lines, "250-STARTTLS")
			}
			reply(strings.Join(append(lines, "250 AUTH PLAIN LOGIN"), "\r\n"))
		case "STARTTLS":
			reply("220 go on")
			secure := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{s.cert}})
			if secure.Handshake() != nil {
				return
			}
			conn, in, mail.secure = secure, bufio.NewReader(secure), true
		case "AUTH":
			_, encoded, _ := strings.Cut(rest, " ")
			plain, _ := base64.StdEncoding.DecodeString(encoded)
			mail.login = strings.Trim(strings.ReplaceAll(string(plain), "\x00", " "), " ")
			reply("235 welcome")
		case "MAIL":
			mail.from = rest
			reply("250 ok")
		case "RCPT":
			mail.to = rest
			reply("250 ok")
		case "DATA":
			reply("354 go on")
			var data strings.Builder
			for {
				l, err := in.ReadString('\n')
				if err != nil {
					return
				}
				if l == ".\r\n" {
					break
				}
				data.WriteString(strings.TrimPrefix(l, "."))
			}
			mail.data = data.String()
			if other := s.answer("."); other == "drop" {
				return
			} else if other != "" {
				reply(other)
				continue
			}
			s.mu.Lock()
			s.got = append(s.got, mail)
			s.mu.Unlock()
			s.mails <- mail
			reply("250 queued")
		case "QUIT":
			reply("221 bye")
			return
		default:
			reply("250 ok")
		}
	}
}
