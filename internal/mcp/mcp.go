// Package mcp is how a coding agent asks cairn without a shell: a server of the
// Model Context Protocol on two streams. It knows what a tool, its parameters
// and its answer are; what the tools say belongs to those who list them.
//
// Only package mcpcmd imports it. It speaks the protocol itself: what the SDK
// links makes every start of the binary slower, also of a hook (docs/adr/0017).
// No domain, no setting and no path belongs here.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A Server is what is offered. Its functions are called from several goroutines.
type Server struct {
	Version      string
	Instructions string // for the model, as few words as possible
	Tools        []Tool
	Data         bool // send the data of answers beside their text; some agents show their model nothing else then
	// Documents lists the files that a client can show or attach; nil for none.
	Documents func() []Document
	// Enter makes the directory of a client the one that tools work in. No tool
	// runs meanwhile.
	Enter func(dir string) error
	Log   io.Writer

	dir   sync.RWMutex  // held by every tool, locked to enter a directory
	slots chan struct{} // tools that run at once
	roots atomic.Bool   // the client names its directories when it is asked
	log   *slog.Logger
}

// A Tool answers a question of a model. All tools only read.
type Tool struct {
	Name    string // as the model calls it
	Does    string // for the model: what it gets, and when to ask
	Params  []Param
	Network bool // may ask the team's server
	Run     func(context.Context, Args) (Answer, error)
}

// A Document is a file of the project.
type Document struct {
	URI, Name, Kind string // Kind is a MIME type
	Read            func() ([]byte, error)
}

const (
	patience = 2 * time.Second // for tools that run at the end
	perCPU   = 4               // tools at once
)

// Serve answers until in ends, or ctx does; neither is an error. What was asked
// is answered before, if it does not take long. It may go on to read from in.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	s.slots = make(chan struct{}, perCPU*runtime.GOMAXPROCS(0))
	s.log = slog.New(slog.NewTextHandler(s.Log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	w := newWire(in, out)
	done := make(chan error, 1)
	go func() { done <- s.listen(context.WithoutCancel(ctx), w) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		w.drain()
		return nil
	}
}

// listen has each request answered, several at a time: a tool may take long.
// What it hears of the session itself it does at once, so that the requests
// behind it find it done.
func (s *Server) listen(ctx context.Context, w *wire) error {
	for {
		msg, err := w.read()
		switch {
		case errors.Is(err, io.EOF):
			w.drain()
			return nil
		case err != nil:
			return err
		case msg.Method == "":
			w.answered(msg)
		case msg.ID == nil:
			s.notice(ctx, w, msg)
		default:
			ctx := w.begin(ctx, msg)
			go func() {
				result, err := s.answer(ctx, msg)
				if err := w.reply(msg, result, err); err != nil {
					s.log.Warn("an answer could not be sent", "error", err)
				}
			}()
		}
	}
}

// notice takes a notification. Those that are not known mean nothing to us.
func (s *Server) notice(ctx context.Context, w *wire, msg *message) {
	switch msg.Method {
	case "notifications/initialized", "notifications/roots/list_changed":
		s.follow(ctx, w)
	case "notifications/cancelled":
		var p struct {
			RequestID json.RawMessage `json:"requestId"`
		}
		if json.Unmarshal(msg.Params, &p) == nil {
			w.cancel(p.RequestID)
		}
	}
}
