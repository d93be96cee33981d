package host

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// A Trust is whether a host runs a hook that is registered with it.
type Trust struct {
	Command string // of the hook
	Runs    bool
	State   string // in the host's own word
}

// codexPatience is how long Codex has to answer.
const codexPatience = 5 * time.Second

// codexTrust asks Codex which hooks it runs. It reads only: codex app-server
// speaks JSON-RPC in lines on its standard streams, and hooks/list tells of
// every hook that it sees from a project. An error that is exec.ErrNotFound
// says that there is no codex on the PATH.
func codexTrust(ctx context.Context, configDir, project string) ([]Trust, error) {
	ctx, cancel := context.WithTimeout(ctx, codexPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "codex", "app-server")
	cmd.Dir, cmd.Env = project, append(os.Environ(), "CODEX_HOME="+configDir)
	cmd.WaitDelay = time.Second // its children may hold the pipes
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	list, err := codexHooks(in, out, project)
	if cerr := in.Close(); err != nil || cerr != nil { // it ends with its input
		cancel()
	}
	werr := cmd.Wait()
	switch {
	case list != nil:
		return list, nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("codex app-server gave no answer in %s", codexPatience)
	}
	return nil, errors.Join(err, werr)
}

// codexHooks holds the conversation: three lines there, two answers back, and
// notices between them.
func codexHooks(in io.Writer, out io.Reader, project string) ([]Trust, error) {
	send := json.NewEncoder(in)
	type call struct {
		ID     int    `json:"id,omitempty"`
		Method string `json:"method"`
		Params any    `json:"params,omitempty"`
	}
	client := map[string]any{"clientInfo": map[string]string{"name": "cairn", "version": "1"}}
	if err := send.Encode(call{ID: 1, Method: "initialize", Params: client}); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var answer struct {
			ID     int `json:"id"`
			Result struct {
				Data []struct {
					Hooks []struct {
						Command     string `json:"command"`
						Enabled     bool   `json:"enabled"`
						TrustStatus string `json:"trustStatus"` // managed, trusted, untrusted or modified
					} `json:"hooks"`
				} `json:"data"`
			} `json:"result"`
			Error *struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		if json.Unmarshal(lines.Bytes(), &answer) != nil {
			continue // a notice of another shape
		}
		if answer.Error != nil {
			return nil, fmt.Errorf("codex app-server: %s", answer.Error.Message)
		}
		switch answer.ID {
		case 1:
			err := errors.Join(send.Encode(call{Method: "initialized"}),
				send.Encode(call{ID: 2, Method: "hooks/list", Params: map[string][]string{"cwds": {project}}}))
			if err != nil {
				return nil, err
			}
		case 2:
			list := []Trust{}
			for _, d := range answer.Result.Data {
				for _, k := range d.Hooks {
					trusted := k.TrustStatus == "trusted" || k.TrustStatus == "managed"
					state := k.TrustStatus
					if !k.Enabled {
						state = "disabled"
					}
					list = append(list, Trust{Command: k.Command, Runs: trusted && k.Enabled, State: state})
				}
			}
			return list, nil
		}
	}
	return nil, errors.Join(errors.New("codex app-server ended without an answer"), lines.Err())
}
