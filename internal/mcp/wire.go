package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// maxMessage is how many bytes a message may have. Arguments of ours are a few
// words.
const maxMessage = 4 << 20

// A message is a request, a notification (without an ID) or an answer (without
// a method) of JSON-RPC 2.0.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *failure        `json:"error,omitempty"`
}

// A failure is the error of a call that the protocol knows. What a tool has to
// say is never one.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (f *failure) Error() string { return f.Message }

// Codes of JSON-RPC 2.0, section 5.1, and of the protocol.
const (
	codeParse     = -32700
	codeInvalid   = -32600
	codeNoMethod  = -32601
	codeBadParams = -32602
	codeInternal  = -32603
	codeVersion   = -32022
)

// A wire is the two streams, a message a line. What is no message is answered
// here; and what was asked before the end is answered before it.
type wire struct {
	in *bufio.Reader

	mu    sync.Mutex
	out   io.Writer
	open  map[string]context.CancelFunc // calls without an answer
	idle  chan struct{}                 // closed when there is none; nil unless somebody waits
	asked map[string]chan *message      // what we asked the client
	count int
}

func newWire(in io.Reader, out io.Writer) *wire {
	return &wire{in: bufio.NewReaderSize(in, 64<<10), out: out, open: map[string]context.CancelFunc{}, asked: map[string]chan *message{}}
}

// read returns the next message.
func (w *wire) read() (*message, error) {
	for {
		line, err := w.line()
		if err != nil && len(line) == 0 {
			return nil, err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		msg, wrong := parse(line)
		if wrong == nil {
			return msg, nil
		}
		if err := w.send(message{ID: json.RawMessage("null"), Error: wrong}); err != nil {
			return nil, err
		}
	}
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

func parse(line []byte) (*message, *failure) {
	switch {
	case len(line) > maxMessage:
		return nil, &failure{Code: codeInvalid, Message: "the message has more than 4 MB"}
	case line[0] == '[':
		return nil, &failure{Code: codeInvalid, Message: "batches are not supported: send one message a line"}
	}
	var msg message
	if err := json.Unmarshal(line, &msg); err != nil || msg.Version != "2.0" || !isID(msg.ID) {
		return nil, &failure{Code: codeParse, Message: "the line is not a message of JSON-RPC 2.0"}
	}
	if string(msg.ID) == "null" {
		msg.ID = nil
	}
	if msg.Method == "" && msg.Result == nil && msg.Error == nil {
		return nil, &failure{Code: codeInvalid, Message: "the request names no method"}
	}
	return &msg, nil
}

// isID reports whether an ID is a text, a number or not given.
func isID(id json.RawMessage) bool { return len(id) == 0 || bytes.IndexByte([]byte("[{tf"), id[0]) < 0 }

// begin notes a call. Its context ends when the client cancels it.
func (w *wire) begin(ctx context.Context, msg *message) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	w.mu.Lock()
	w.open[string(msg.ID)] = cancel
	w.mu.Unlock()
	return ctx
}

func (w *wire) cancel(id json.RawMessage) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if cancel := w.open[string(id)]; cancel != nil {
		cancel()
	}
}

// reply answers a call.
func (w *wire) reply(to *message, result any, err error) error {
	answer := message{ID: to.ID}
	if err == nil {
		answer.Result, err = json.Marshal(result)
	}
	if err != nil && !errors.As(err, &answer.Error) {
		answer.Error = &failure{Code: codeInternal, Message: err.Error()}
	}
	err = w.send(answer)
	w.mu.Lock()
	defer w.mu.Unlock()
	if cancel := w.open[string(to.ID)]; cancel != nil {
		cancel()
	}
	if delete(w.open, string(to.ID)); w.idle != nil && len(w.open) == 0 {
		close(w.idle)
		w.idle = nil
	}
	return err
}

func (w *wire) send(msg message) error {
	msg.Version = "2.0"
	var line bytes.Buffer
	e := json.NewEncoder(&line) // ends the line
	e.SetEscapeHTML(false)
	if err := e.Encode(msg); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := w.out.Write(line.Bytes())
	return err
}

// ask sends a request of ours and waits for its result.
func (w *wire) ask(ctx context.Context, method string, result any) error {
	back := make(chan *message, 1)
	w.mu.Lock()
	w.count++
	id := fmt.Sprintf(`"cairn-%d"`, w.count)
	w.asked[id] = back
	w.mu.Unlock()
	if err := w.send(message{ID: json.RawMessage(id), Method: method}); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case msg := <-back:
		if msg.Error != nil {
			return msg.Error
		}
		return json.Unmarshal(msg.Result, result)
	}
}

// answered hands an answer to who asked, once.
func (w *wire) answered(msg *message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if back := w.asked[string(msg.ID)]; back != nil {
		delete(w.asked, string(msg.ID))
		back <- msg
	}
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
