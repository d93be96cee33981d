package servecmd

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/server"
	"cairn/internal/team/wire"
	"cairn/internal/term"
)

func healthCommands() []*command.Command {
	return []*command.Command{
		{
			Path: "serve doctor", Short: "Check a server's files, database and certificate",
			Long: `Checks file modes, whether a server runs, every page of the embedded database, the
schema, the daily sums against their rows, the disk, the clock and the
certificate; of PostgreSQL also roles and row-level security. It changes nothing.`,
			Exits:    "5 if a check fails",
			Examples: []string{"cairn serve doctor", "cairn serve doctor --data /srv/cairn --json"},
			Effect:   command.Reads, Run: doctor,
			Flags: []command.Flag{
				{Name: "tls-cert", Default: "", Help: "certificate chain of the server, a PEM `FILE`"},
				{Name: "tls-key", Default: "", Help: "its private key, a PEM `FILE`"},
				{Name: "autocert", Default: "", Help: "`HOST` for which the server gets certificates"},
			},
		},
		{
			Path: "serve health", Short: "Check whether the server on this machine is ready",
			Long: `Asks /readyz of the server that listens on this machine, with the flags, variables
and file of cairn serve. Prints nothing. It is for what has no other client, such
as a container's health check.`,
			Exits:    "6 if no server is ready",
			Examples: []string{"cairn serve health", "cairn serve health --listen 127.0.0.1:8080 --timeout 1s"},
			Effect:   command.Reads, Run: health,
			Flags: []command.Flag{
				{Name: "listen", Default: wire.DefaultListen, Help: "`HOST:PORT` that the server listens on"},
				{Name: "tls-cert", Default: "", Help: "its certificate, if it has one"},
				{Name: "autocert", Default: "", Help: "`HOST` it gets certificates for, if it does"},
				{Name: "timeout", Default: 3 * time.Second, Help: "how long to wait"},
				configFlag,
			},
		},
	}
}

func doctor(c *command.Call) (*answer.Answer, error) {
	place := find(c)
	checks := server.Examine(c, place, server.TLS{Cert: c.String("tls-cert"), Key: c.String("tls-key"), Host: c.String("autocert"), Dir: place.Certificates()})
	marks := map[string]string{server.Good: "good", server.Warn: "warn", server.Fail: "bad"}
	failed, t := false, answer.NewTable("status:name", "check:name", "detail")
	for _, check := range checks {
		failed = failed || check.Status == server.Fail
		t.Add(answer.Marked(check.Status, marks[check.Status]), check.Name, check.Detail)
	}
	hints := answer.Painted(func(*answer.Page) error {
		for _, check := range checks {
			if check.Hint != "" {
				term.PrintHint(c.Stderr, "%s: %s", check.Name, check.Hint)
			}
		}
		return nil
	})
	data := struct {
		OK     bool           `json:"ok"`
		Checks []server.Check `json:"checks"`
	}{!failed, checks}
	return &answer.Answer{Data: data, View: answer.Views{t, hints}, No: failed}, nil
}

func health(c *command.Call) (*answer.Answer, error) {
	settle(c)
	listen := c.String("listen")
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return nil, command.Usagef("--listen must be HOST:PORT such as %s, not %q", wire.DefaultListen, term.Line(listen))
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1" // a server on all addresses is on this one too
	}
	address := "http://" + net.JoinHostPort(host, port) + "/readyz"
	client := &http.Client{
		Timeout:       c.Duration("timeout"),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	if c.String("tls-cert") != "" || c.String("autocert") != "" {
		address = "https" + address[len("http"):]
		// It asks its own machine and tells it nothing: whether the certificate is for this address does not matter.
		client.Transport = &http.Transport{TLSClientConfig: &tls.Config{
			ServerName: c.String("autocert"), InsecureSkipVerify: true, //nolint:gosec // see above
		}}
	}
	req, err := http.NewRequestWithContext(cmp.Or(c.Context, context.Background()), http.MethodGet, address, nil)
	must.OK(command.Usage(err))
	resp, err := client.Do(req)
	if err != nil {
		return nil, command.Net(term.Hint(fmt.Errorf("no server answers at %s", listen), "cairn serve starts it"))
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, command.Net(fmt.Errorf("the server at %s is not ready: %s", listen, resp.Status))
	}
	return &answer.Answer{Data: struct {
		Ready bool `json:"ready"`
	}{true}}, nil
}
