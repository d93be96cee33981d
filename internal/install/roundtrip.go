package install

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"cairn/internal/home"
)

// call calls a hook's command line as a host does, with an envelope on
// stdin, and returns how long it took. The hook must exit 0 and say nothing
// or JSON on stdout. Without a shell the error is exec.ErrNotFound.
func call(ctx context.Context, command string, envelope []byte, timeout time.Duration) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, shell, "-c", command)
	cmd.Stdin = bytes.NewReader(envelope)
	cmd.Env = append(os.Environ(), home.Probe+"=1")
	cmd.WaitDelay = time.Second // a grandchild may hold the pipes
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err = cmd.Run()
	took := time.Since(start)
	switch {
	case ctx.Err() != nil:
		return took, fmt.Errorf("no answer in %s", timeout)
	case err != nil:
		said, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return took, fmt.Errorf("the hook ended with %w: %s", err, said)
	case len(bytes.TrimSpace(stdout.Bytes())) > 0 && !json.Valid(stdout.Bytes()):
		return took, fmt.Errorf("the answer is not JSON: %.60q", stdout.String())
	}
	return took, nil
}

// WindowsInWSL reports whether this is a Windows binary started inside WSL:
// what it installs names Windows paths to an agent that runs in Linux.
func (m Machine) WindowsInWSL(dir string) bool {
	return m.GOOS == "windows" && (m.Getenv("WSL_DISTRO_NAME") != "" || strings.HasPrefix(dir, `\\wsl`))
}
