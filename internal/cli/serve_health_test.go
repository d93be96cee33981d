package cli

import (
	"cairn/internal/command"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestServeHealth(t *testing.T) {
	t.Parallel()
	status := http.StatusOK
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			t.Errorf("%s was asked", r.URL.Path)
		}
		w.WriteHeader(status)
	})
	plain, secure := httptest.NewServer(answer), httptest.NewTLSServer(answer)
	defer plain.Close()
	defer secure.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(plain.URL, "http://"), ":")
	for _, tt := range []struct {
		status, code int
		args         string
	}{
		{200, command.ExitOK, "--listen 127.0.0.1:" + port},
		{200, command.ExitOK, "--listen 0.0.0.0:" + port},
		{200, command.ExitOK, "--listen :" + port},
		{503, command.ExitNet, "--listen 127.0.0.1:" + port},
		{307, command.ExitNet, "--listen 127.0.0.1:" + port},
		{200, command.ExitNet, "--listen 127.0.0.1:" + port + " --tls-cert cert.pem"},
		{200, command.ExitOK, "--listen " + strings.TrimPrefix(secure.URL, "https://") + " --tls-cert cert.pem"},
		{200, command.ExitOK, "--listen " + strings.TrimPrefix(secure.URL, "https://") + " --autocert cairn.example.com"},
		{200, command.ExitNet, "--listen 127.0.0.1:1 --timeout 1s"},
		{200, command.ExitUsage, "--listen 7373"},
	} {
		status = tt.status
		if code, stderr := try(append([]string{"serve", "health"}, strings.Fields(tt.args)...)...); code != tt.code {
			t.Errorf("%s, %d: code %d, want %d: %s", tt.args, tt.status, code, tt.code, stderr)
		}
	}
}
