// Package mcp is how a coding agent asks cairn without a shell: a server of the
// Model Context Protocol on two streams. It knows what a tool, its parameters
// and its answer are; what the tools say belongs to those who list them.
//
// Only package cli imports it, and only it imports the SDK. No domain, no
// setting and no path belongs here.
package mcp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"runtime"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
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
	log := slog.New(slog.NewTextHandler(s.Log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	server := sdk.NewServer(&sdk.Implementation{Name: "cairn", Version: s.Version}, &sdk.ServerOptions{
		Instructions:            s.Instructions,
		Capabilities:            s.capabilities(),
		Logger:                  log,
		InitializedHandler:      func(_ context.Context, req *sdk.InitializedRequest) { s.follow(ctx, req.Session, log) },
		RootsListChangedHandler: func(_ context.Context, req *sdk.RootsListChangedRequest) { s.follow(ctx, req.Session, log) }, //nolint:staticcheck // clients of today still name their directories so
	})
	for _, t := range s.Tools {
		server.AddTool(t.declared(), s.handler(t, log))
	}
	server.AddReceivingMiddleware(s.withDocuments)
	w := newWire(in, out)
	done := make(chan error, 1)
	go func() {
		done <- server.Run(context.WithoutCancel(ctx), &sdk.IOTransport{Reader: w, Writer: w, MaxLineLength: -1})
	}()
	select {
	case err := <-done:
		return ended(err)
	case <-ctx.Done():
		w.drain()
		return nil
	}
}

// ended leaves out what is only the end.
func ended(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) || errors.Is(err, sdk.ErrConnectionClosed) {
		return nil
	}
	return err
}

func (s *Server) capabilities() *sdk.ServerCapabilities {
	c := &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}}
	if s.Documents != nil {
		c.Resources = &sdk.ResourceCapabilities{}
	}
	return c
}
