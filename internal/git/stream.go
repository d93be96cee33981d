package git

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os/exec"
	"time"
)

// Stream runs git in dir with stdin, nil for none, and has read take what it
// prints while it runs. There is no time limit but the context's: a long history
// takes as long as it takes. An error of read ends git and is returned.
func Stream(ctx context.Context, dir string, stdin io.Reader, read func(*bufio.Reader) error, args ...string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	with, env, err := safely(ctx, dir, nil, args)
	if err != nil {
		return &Error{Args: args, Err: err}
	}
	cmd := exec.CommandContext(ctx, "git", with...)
	cmd.Dir, cmd.Env = dir, env
	cmd.WaitDelay = 2 * time.Second
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = stdin, &stderr
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return &Error{Args: args, Err: err}
	}
	if err := read(bufio.NewReaderSize(stdout, 256<<10)); err != nil {
		cancel()
		_ = cmd.Wait()
		if failed := stderr.String(); failed != "" && err == io.ErrUnexpectedEOF {
			return &Error{Args: args, Stderr: failed, Err: err}
		}
		return err
	}
	if err := cmd.Wait(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return &Error{Args: args, Stderr: stderr.String(), Err: err}
	}
	return nil
}
