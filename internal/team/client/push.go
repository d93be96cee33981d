package client

import (
	"context"
	"errors"
	"net/http"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/wire"
)

// A run of more bytes is sent in parts of about partBytes, which a server does
// not show before the run itself comes.
const (
	wholeBytes = 4 << 20
	partBytes  = 2 << 20
)

// push sends a run: whole, or in parts if it is large and the server takes them.
func (c *Client) push(ctx context.Context, push wire.EvalPush) (answer wire.EvalPushed, err error) {
	body, err := json.Marshal(push)
	if err != nil {
		return answer, err
	}
	if len(body) > wholeBytes {
		parts, err := partsOf(&push)
		if err != nil {
			return answer, err
		}
		sent, err := c.pushParts(ctx, parts)
		if err != nil {
			return answer, err
		}
		if sent {
			push.Run.Cases, push.Run.Results, push.Run.Parts = []wire.EvalCase{}, []wire.EvalResult{}, len(parts)
			return answer, c.Do(ctx, http.MethodPost, wire.PushEvalRun, nil, push, &answer)
		}
	}
	return answer, c.Do(ctx, http.MethodPost, wire.PushEvalRun, nil, body, &answer)
}

// pushParts sends parts; sent is false where the server is of a version that
// takes none.
func (c *Client) pushParts(ctx context.Context, parts []wire.EvalPart) (sent bool, err error) {
	for i := range parts {
		err := c.Do(ctx, http.MethodPost, wire.PushEvalPart, nil, &parts[i], nil)
		var e *Error
		if i == 0 && errors.As(err, &e) && e.Status == http.StatusNotFound {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// partsOf cuts a run into parts, each with the cases of its results.
func partsOf(push *wire.EvalPush) (parts []wire.EvalPart, err error) {
	size := func(v any) int {
		data, more := json.Marshal(v)
		err = errors.Join(err, more)
		return len(data)
	}
	cases := make(map[int64]*wire.EvalCase, len(push.Run.Cases))
	for i := range push.Run.Cases {
		cases[push.Run.Cases[i].ID] = &push.Run.Cases[i]
	}
	var part *wire.EvalPart
	var named map[int64]bool
	left := 0
	for i := range push.Run.Results {
		r := &push.Run.Results[i]
		if left <= 0 {
			parts = append(parts, wire.EvalPart{Team: push.Team, Key: push.Run.IngestKey, Part: len(parts)})
			part, named, left = &parts[len(parts)-1], map[int64]bool{}, partBytes
		}
		if known := cases[r.CaseID]; known != nil && !named[r.CaseID] {
			named[r.CaseID] = true
			part.Body.Cases = append(part.Body.Cases, *known)
			left -= size(known)
		}
		part.Body.Results = append(part.Body.Results, *r)
		left -= size(r)
	}
	return parts, err
}
