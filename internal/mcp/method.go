package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// Versions of the protocol that are spoken, the newest first. From that of 2026-07 on
// there is no session: each request names its version, and each result
// says more of itself.
var versions = []string{withoutSession, withSession, "2025-06-18", "2025-03-26", "2024-11-05"}

const (
	withoutSession = "2026-07-28"
	withSession    = "2025-11-25" // the newest of these
)

type (
	result struct {
		Type string      `json:"resultType,omitempty"`
		Meta *resultMeta `json:"_meta,omitempty"`
	}
	resultMeta struct {
		Server implementation `json:"io.modelcontextprotocol/serverInfo"`
	}
	implementation struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	cached struct { // how long a client may keep what is listed: not at all
		TTL   int    `json:"ttlMs"`
		Scope string `json:"cacheScope"`
	}
	capabilities struct {
		Resources *struct{} `json:"resources,omitempty"`
		Tools     struct{}  `json:"tools"`
	}
	initialized struct {
		result
		Capabilities capabilities   `json:"capabilities"`
		Instructions string         `json:"instructions,omitempty"`
		Version      string         `json:"protocolVersion"`
		Server       implementation `json:"serverInfo"`
	}
	discovered struct {
		result
		cached
		Versions     []string     `json:"supportedVersions"`
		Capabilities capabilities `json:"capabilities"`
		Instructions string       `json:"instructions,omitempty"`
	}
	toolList struct {
		result
		cached
		Tools []declaration `json:"tools"`
	}
	resourceList struct {
		result
		cached
		Resources []resource `json:"resources"`
	}
	templateList struct {
		result
		cached
		Templates []struct{} `json:"resourceTemplates"`
	}
	promptList struct {
		result
		cached
		Prompts []struct{} `json:"prompts"`
	}
)

var (
	forAll = cached{Scope: "public"}
	forOne = cached{Scope: "private"} // of this project
)

// answer answers a request.
func (s *Server) answer(ctx context.Context, msg *message) (any, error) {
	var asked struct {
		Meta struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
		Version      string `json:"protocolVersion"` // the rest is of initialize
		Capabilities struct {
			Roots *struct{} `json:"roots"`
		} `json:"capabilities"`
	}
	if err := params(msg, &asked); err != nil {
		return nil, err
	}
	var head result
	switch version := asked.Meta.Version; {
	case version != "" && !slices.Contains(versions, version):
		return nil, &failure{codeVersion, "unsupported protocol version", map[string]any{"supported": versions, "requested": version}}
	case version >= withoutSession:
		head = result{"complete", &resultMeta{s.itself()}}
	}
	switch msg.Method {
	case "initialize":
		version := asked.Version
		if version == withoutSession || !slices.Contains(versions, version) {
			version = withSession
		}
		s.roots.Store(asked.Capabilities.Roots != nil)
		return initialized{head, s.capabilities(), s.Instructions, version, s.itself()}, nil
	case "server/discover":
		return discovered{head, forAll, versions, s.capabilities(), s.Instructions}, nil
	case "ping", "logging/setLevel":
		return head, nil
	case "tools/list":
		list := toolList{head, forAll, []declaration{}}
		for _, t := range s.Tools {
			list.Tools = append(list.Tools, t.declared())
		}
		slices.SortFunc(list.Tools, func(a, b declaration) int { return cmp.Compare(a.Name, b.Name) })
		return list, nil
	case "tools/call":
		return s.call(ctx, head, msg)
	case "resources/list":
		return s.list(head), nil
	case "resources/read":
		return s.read(head, msg)
	case "resources/templates/list":
		return templateList{head, forAll, []struct{}{}}, nil
	case "prompts/list":
		return promptList{head, forAll, []struct{}{}}, nil
	}
	return nil, &failure{Code: codeNoMethod, Message: fmt.Sprintf("method not found: %q", msg.Method)}
}

// params reads the parameters of a request, which may have none.
func params(msg *message, into any) error {
	if len(msg.Params) == 0 {
		return nil
	}
	if json.Unmarshal(msg.Params, into) != nil {
		return &failure{Code: codeBadParams, Message: "the params of " + msg.Method + " are not an object of its form"}
	}
	return nil
}

func (s *Server) itself() implementation { return implementation{"cairn", s.Version} }

func (s *Server) capabilities() (c capabilities) {
	if s.Documents != nil {
		c.Resources = &struct{}{}
	}
	return c
}
