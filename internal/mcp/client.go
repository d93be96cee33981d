package mcp

import (
	"context"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// askPatience is how long a client has to name its directories.
const askPatience = 5 * time.Second

// follow enters the first directory that the client works in and that can be
// entered. A client that names none started us where it works. Tools wait for
// the answer.
func (s *Server) follow(ctx context.Context, w *wire) {
	if s.Enter == nil || !s.roots.Load() {
		return
	}
	s.dir.Lock()
	go func() { // the answer comes in by the loop that called us
		defer s.dir.Unlock()
		ctx, cancel := context.WithTimeout(ctx, askPatience)
		defer cancel()
		var list struct {
			Roots []struct {
				URI string `json:"uri"`
			} `json:"roots"`
		}
		if err := w.ask(ctx, "roots/list", &list); err != nil {
			s.log.Warn("the client does not name its directories", "error", err)
			return
		}
		for _, root := range list.Roots {
			dir, ok := dirOf(root.URI)
			if !ok {
				continue
			}
			err := s.Enter(dir)
			if err == nil {
				return
			}
			s.log.Warn("a directory of the client cannot be entered", "error", err)
		}
	}()
}

// dirOf is the path of a file: URI, with which Windows has a drive.
func dirOf(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return "", false
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	path = filepath.FromSlash(path)
	return path, filepath.IsAbs(path)
}

type (
	resource struct {
		Kind string `json:"mimeType,omitempty"`
		Name string `json:"name"`
		URI  string `json:"uri"`
	}
	contents struct {
		result
		cached
		Contents []content `json:"contents"`
	}
	content struct {
		URI  string `json:"uri"`
		Kind string `json:"mimeType,omitempty"`
		Text string `json:"text"`
	}
)

// documents hands over those of the directory that is entered now, which stays
// the one until done.
func (s *Server) documents(use func(Document) (done bool)) {
	if s.Documents == nil {
		return
	}
	s.dir.RLock()
	defer s.dir.RUnlock()
	for _, d := range s.Documents() {
		if use(d) {
			return
		}
	}
}

func (s *Server) list(head result) resourceList {
	list := resourceList{head, forOne, []resource{}}
	s.documents(func(d Document) bool {
		list.Resources = append(list.Resources, resource{d.Kind, d.Name, d.URI})
		return false
	})
	return list
}

func (s *Server) read(head result, msg *message) (any, error) {
	var asked struct {
		URI string `json:"uri"`
	}
	if err := params(msg, &asked); err != nil {
		return nil, err
	}
	var data []byte
	err := error(&failure{codeBadParams, "Resource not found", map[string]any{"uri": asked.URI}})
	kind := ""
	s.documents(func(d Document) bool {
		if d.URI == asked.URI {
			kind = d.Kind
			data, err = d.Read()
		}
		return d.URI == asked.URI
	})
	if err != nil {
		return nil, err
	}
	return contents{head, forOne, []content{{asked.URI, kind, strings.ToValidUTF8(string(data), "\uFFFD")}}}, nil
}
