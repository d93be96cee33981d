package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxMessage is how many bytes a message may have. Arguments of ours are a few
// words.
const maxMessage = 4 << 20

// A wire is the two streams, a message a line. What is no message is answered
// here, for it would end the session; and what was asked before the end is
// answered before it.
type wire struct {
	in   *bufio.Reader
	rest []byte // of the line that is being read

	mu   sync.Mutex
	out  io.Writer
	open map[jsonrpc.ID]bool // calls without an answer
	idle chan struct{}       // closed when there is none; nil unless somebody waits
}

func newWire(in io.Reader, out io.Writer) *wire {
	return &wire{in: bufio.NewReaderSize(in, 64<<10), out: out, open: map[jsonrpc.ID]bool{}}
}

// Read implements io.Reader: whole messages, one after the other.
func (w *wire) Read(p []byte) (int, error) {
	for len(w.rest) == 0 {
		line, err := w.line()
		if err != nil && len(line) == 0 {
			w.drain()
			return 0, err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if err := w.accept(line); err != nil {
			return 0, err
		}
	}
	n := copy(p, w.rest)
	w.rest = w.rest[n:]
	return n, nil
}

// line reads a line; of one that is too long the first bytes.
func (w *wire) line() ([]byte, error) {
	var line []byte
	for {
		part, err := w.in.ReadSlice('\n')
		if len(line) <= maxMessage {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// Codes of JSON-RPC 2.0, section 5.1.
const (
	codeParse   = "-32700"
	codeInvalid = "-32600"
)

// accept hands a line on, or answers it.
func (w *wire) accept(line []byte) error {
	switch {
	case len(line) > maxMessage:
		return w.refuse(codeInvalid, "the message has more than 4 MB")
	case line[0] == '[':
		return w.refuse(codeInvalid, "batches are not supported: send one message a line")
	}
	msg, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return w.refuse(codeParse, "the line is not a message of JSON-RPC 2.0")
	}
	if req, ok := msg.(*jsonrpc.Request); ok {
		if req.Method == "" {
			return w.refuse(codeInvalid, "the request names no method")
		}
		if req.IsCall() {
			w.mu.Lock()
			w.open[req.ID] = true
			w.mu.Unlock()
		}
	}
	w.rest = append(line, '\n')
	return nil
}

func (w *wire) refuse(code, why string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := io.WriteString(w.out, `{"jsonrpc":"2.0","id":null,"error":{"code":`+code+`,"message":"`+why+`"}}`+"\n")
	return err
}

// drain waits until all calls are answered, but not for long.
func (w *wire) drain() {
	w.mu.Lock()
	if len(w.open) == 0 {
		w.mu.Unlock()
		return
	}
	if w.idle == nil {
		w.idle = make(chan struct{})
	}
	idle := w.idle
	w.mu.Unlock()
	select {
	case <-idle:
	case <-time.After(patience):
	}
}

// Write implements io.Writer. The SDK writes a message at a time.
func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.out.Write(p)
	if msg, bad := jsonrpc.DecodeMessage(p); bad == nil {
		if res, ok := msg.(*jsonrpc.Response); ok {
			delete(w.open, res.ID)
		}
	}
	if w.idle != nil && len(w.open) == 0 {
		close(w.idle)
		w.idle = nil
	}
	return n, err
}

// Close implements io.Closer. The streams are the process's, and end with it.
func (w *wire) Close() error { return nil }
