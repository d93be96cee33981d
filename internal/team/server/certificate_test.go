package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// certify writes a certificate of our own for 127.0.0.1.
func certify(t *testing.T, files TLS, serial int64, until time.Time) *x509.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "cairn"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: until,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{files.Cert: {Type: "CERTIFICATE", Bytes: der}, files.Key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTLS(t *testing.T) {
	dir := t.TempDir()
	files := TLS{Cert: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}
	year := time.Now().AddDate(1, 0, 0)
	roots := x509.NewCertPool()
	roots.AddCert(certify(t, files, 1, year))
	s, _ := made(t, Config{TLS: files, Listen: "0.0.0.0:0"}) // with TLS it may be reached by others
	running(t, s)
	ask := func() (*tls.ConnectionState, http.Header) {
		t.Helper()
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true, DisableKeepAlives: true}}
		resp, err := client.Get(s.URL() + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.TLS, resp.Header
	}
	serial := func() int64 {
		t.Helper()
		state, _ := ask()
		return state.PeerCertificates[0].SerialNumber.Int64()
	}
	state, header := ask()
	if state.NegotiatedProtocol != "h2" || header.Get("Strict-Transport-Security") == "" || serial() != 1 {
		t.Errorf("%s, %v, certificate %d", state.NegotiatedProtocol, header, serial())
	}
	os.WriteFile(files.Cert, []byte("rubbish"), 0o600)
	if err := s.Reload(); !errors.Is(err, ErrConfig) {
		t.Errorf("a broken certificate: %v", err)
	}
	if n := serial(); n != 1 {
		t.Errorf("certificate %d, want the old one", n)
	}
	roots.AddCert(certify(t, files, 2, year))
	if err := s.Reload(); err != nil {
		t.Fatal(err)
	}
	if n := serial(); n != 2 {
		t.Errorf("certificate %d, want the new one", n)
	}
	for until, want := range map[time.Time]string{year: Good, time.Now().AddDate(0, 0, 3): Warn, time.Now().Add(-time.Minute): Fail} {
		certify(t, files, 3, until)
		if got := files.examine(time.Now()); len(got) != 1 || got[0].Status != want {
			t.Errorf("until %v: %+v, want %s", until, got, want)
		}
	}
}

func TestListen(t *testing.T) {
	st := opened(t)
	for _, c := range []struct {
		config Config
		want   error
	}{
		{Config{Listen: "0.0.0.0:0"}, ErrExposed},
		{Config{Listen: ":0"}, ErrExposed},
		{Config{Listen: "[::]:0"}, ErrExposed},
		{Config{Listen: "192.0.2.1:0"}, ErrExposed},
		{Config{Listen: "0.0.0.0:0", Insecure: true}, nil},
		{Config{Listen: "127.8.8.8:0"}, nil},
		{Config{Listen: "localhost:0"}, nil},
		{Config{Listen: "127.0.0.1"}, ErrConfig},
		{Config{Listen: "127.0.0.1:http"}, ErrConfig},
		{Config{Listen: "127.0.0.1:70000"}, ErrConfig},
		{Config{Listen: "127.0.0.1:0", URL: "cairn.example.com"}, ErrConfig},
		{Config{Listen: "127.0.0.1:0", URL: "https://u:p@cairn.example.com"}, ErrConfig},
		{Config{Listen: "127.0.0.1:0", URL: "https://cairn.example.com/x"}, ErrConfig},
		{Config{Listen: "127.0.0.1:0", URL: "https://cairn.example.com/"}, nil},
		{Config{Listen: "127.0.0.1:0", TLS: TLS{Cert: "x"}}, ErrConfig},
		{Config{Listen: "127.0.0.1:0", TLS: TLS{Cert: "x", Key: "x", Host: "x"}}, ErrConfig},
		{Config{Listen: "127.0.0.1:0", JWTSecret: []byte("short")}, ErrConfig},
	} {
		c.config.Store = st
		s, err := New(ctx, c.config)
		if !errors.Is(err, c.want) {
			t.Errorf("%+v: %v, want %v", c.config, err, c.want)
		}
		if err == nil {
			if c.config.URL != "" && s.URL() != "https://cairn.example.com" {
				t.Error(s.URL())
			}
			s.Close()
		}
	}
}
