package synccmd

import (
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/team/client"
	"cairn/internal/team/collect"
	"cairn/internal/team/link"
	"cairn/internal/team/runs"
	"cairn/internal/team/wire"
)

func headersCommand() *command.Command {
	return &command.Command{
		Path: "sync otlp-headers", Args: []command.Arg{{Name: "URL", Help: "server that the telemetry goes to"}},
		Short: "Print the headers that agents send telemetry with",
		Long: `Prints a JSON object of HTTP headers: your session with the server as a bearer
token, and the team, repository and branch of this directory. cairn install
--telemetry has Claude Code run it (otelHeadersHelper), so that no token is in its
settings. The branch is the one at that moment: Claude Code asks again every half
hour. --env prints them as OTEL_EXPORTER_OTLP_HEADERS wants them, for agents that
run no command for it.`,
		Flags: []command.Flag{{Name: "env", Default: false, Help: "print them as the variable OTEL_EXPORTER_OTLP_HEADERS takes them"}},
		Examples: []string{"cairn sync otlp-headers https://cairn.example.com", "cairn sync otlp-headers http://127.0.0.1:7420 | jq keys",
			"cairn sync otlp-headers https://cairn.example.com --env"},
		Effect: command.Reads, Waits: true, Run: runHeaders,
	}
}

func runHeaders(c *command.Call) (*answer.Answer, error) {
	repo := home.FindRepo(c.Here(), c.Getenv)
	of, err := link.Find(c.Env)
	if err != nil || of == nil || link.CleanURL(of.File.URL) != link.CleanURL(c.Arg("URL")) {
		of = nil
	}
	options := client.Options{URL: c.Arg("URL"), Home: home.Find(c.Getenv)}
	if of != nil {
		options = of.Options()
	}
	token := must.Get(must.Get(client.Open(options)).Bearer(c))
	headers := map[string]string{"Authorization": "Bearer " + token}
	if of != nil {
		headers[wire.TeamHeader] = of.File.Slug
	}
	if slug, top := collect.Repo(c.Env, repo); top != "" {
		headers[wire.RepoHeader] = slug
		if branch := runs.Branch(c.Env, top); branch != "" {
			headers[wire.BranchHeader] = branch
		}
	}
	return &answer.Answer{Data: headers, View: answer.Text(func(w io.Writer) {
		if c.Bool("env") {
			var list []string
			for _, name := range slices.Sorted(maps.Keys(headers)) {
				list = append(list, name+"="+url.PathEscape(headers[name]))
			}
			fmt.Fprintln(w, strings.Join(list, ","))
			return
		}
		data, _ := json.Marshal(headers, json.Deterministic(true)) // texts
		fmt.Fprintln(w, string(data))
	})}, nil
}
