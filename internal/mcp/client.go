package mcp

import (
	"context"
	"log/slog"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// askPatience is how long a client has to name its directories.
const askPatience = 5 * time.Second

// follow enters the first directory that the client works in and that can be
// entered. A client that names none started us where it works. Tools wait for
// the answer.
func (s *Server) follow(ctx context.Context, session *sdk.ServerSession, log *slog.Logger) {
	p := session.InitializeParams()
	if s.Enter == nil || p == nil || p.Capabilities == nil || p.Capabilities.RootsV2 == nil { //nolint:staticcheck // clients of today still name them so
		return
	}
	s.dir.Lock()
	go func() { // the answer comes in by the loop that called us
		defer s.dir.Unlock()
		ctx, cancel := context.WithTimeout(ctx, askPatience)
		defer cancel()
		list, err := session.ListRoots(ctx, nil) //nolint:staticcheck // see above
		if err != nil {
			log.Warn("the client does not name its directories", "error", err)
			return
		}
		for _, root := range list.Roots {
			dir, ok := dirOf(root.URI)
			if !ok {
				continue
			}
			if err = s.Enter(dir); err == nil {
				return
			}
			log.Warn("a directory of the client cannot be entered", "error", err)
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

// withDocuments answers for documents, which come and go with the directory.
func (s *Server) withDocuments(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if s.Documents == nil || method != "resources/list" && method != "resources/read" {
			return next(ctx, method, req)
		}
		s.dir.RLock()
		defer s.dir.RUnlock()
		docs := s.Documents()
		if read, ok := req.GetParams().(*sdk.ReadResourceParams); ok {
			return readDocument(docs, read.URI)
		}
		res := &sdk.ListResourcesResult{Resources: []*sdk.Resource{}, Cacheable: sdk.Cacheable{CacheScope: "private"}}
		for _, d := range docs {
			res.Resources = append(res.Resources, &sdk.Resource{URI: d.URI, Name: d.Name, MIMEType: d.Kind})
		}
		return res, nil
	}
}

func readDocument(docs []Document, uri string) (sdk.Result, error) {
	for _, d := range docs {
		if d.URI != uri {
			continue
		}
		data, err := d.Read()
		if err != nil {
			return nil, err
		}
		text := strings.ToValidUTF8(string(data), "\uFFFD")
		return &sdk.ReadResourceResult{Cacheable: sdk.Cacheable{CacheScope: "private"}, Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: d.Kind, Text: text}}}, nil
	}
	return nil, sdk.ResourceNotFoundError(uri)
}
