// Package update finds out whether there is a newer cairn, and fetches it: one
// anonymous GET of the release page that the build names, and one of a binary.
//
// Only cli and installcmd may import it: it links an HTTP client. When to look is
// decided in early; where the binary goes is the caller's.
package update

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"cairn/internal/update/known"
)

// A Release is what the page says, as JSON:
//
//	{"version": "1.4.0", "assets": [{"os": "linux", "arch": "amd64", "url": …, "sha256": …}]}
//
// os and arch are GOOS and GOARCH; a url may be relative to the page.
type Release struct {
	Version string  `json:"version"`
	Assets  []Asset `json:"assets"`
}

// An Asset is the binary for one system.
type Asset struct {
	OS     string `json:"os"`
	Arch   string `json:"arch"`
	URL    string `json:"url"`
	SHA256 string `json:"sha256"` // of the file behind URL, in hex
}

// Errors of this package.
var (
	ErrReach    = errors.New("the release cannot be fetched")
	ErrPage     = errors.New("not a release page")
	ErrNoAsset  = errors.New("the release has no binary for this system")
	ErrChecksum = errors.New("the binary is not the one that the release page names")
)

const (
	pageTime   = 10 * time.Second
	pageSize   = 1 << 20   // bytes, at most
	binarySize = 512 << 20 // likewise
)

// Latest reads the release page.
func Latest(ctx context.Context, page string) (Release, error) {
	ctx, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	var r Release
	data, err := get(ctx, page, pageSize)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("%w: %s: %w", ErrPage, page, err)
	}
	if !known.IsVersion(r.Version) {
		return r, fmt.Errorf("%w: %s: %q is not a version", ErrPage, page, r.Version)
	}
	return r, nil
}

// Binary returns the release's binary for a system, once its sum was found to
// be the page's.
func (r Release) Binary(ctx context.Context, page, goos, goarch string) ([]byte, error) {
	for _, a := range r.Assets {
		if a.OS != goos || a.Arch != goarch {
			continue
		}
		base, err := url.Parse(page)
		if err != nil {
			return nil, err
		}
		at, err := base.Parse(a.URL)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrPage, err)
		}
		data, err := get(ctx, at.String(), binarySize)
		if err != nil {
			return nil, err
		}
		if sum := sha256.Sum256(data); !strings.EqualFold(hex.EncodeToString(sum[:]), strings.TrimSpace(a.SHA256)) {
			return nil, fmt.Errorf("%w: %s", ErrChecksum, at.Redacted())
		}
		return data, nil
	}
	return nil, fmt.Errorf("%w: %s/%s", ErrNoAsset, goos, goarch)
}

// get fetches what is at an address. Anything but https is refused, also after
// a redirect, but for this machine's own.
func get(ctx context.Context, address string, most int64) ([]byte, error) {
	client := &http.Client{CheckRedirect: func(req *http.Request, via []*http.Request) error {
		if len(via) >= 10 {
			return errors.New("too many redirects")
		}
		return safe(req.URL)
	}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if err := safe(req.URL); err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "cairn") // and nothing about who asks
	resp, err := client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrReach, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w: %s answered %s", ErrReach, req.URL.Redacted(), resp.Status)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s sent more than %d MB", req.URL.Host, most>>20)
	}
	return data, err
}

func safe(u *url.URL) error {
	local := u.Hostname() == "127.0.0.1" || u.Hostname() == "::1" || u.Hostname() == "localhost"
	if u.Scheme != "https" && !(u.Scheme == "http" && local) {
		return fmt.Errorf("%s is not https", u.Redacted())
	}
	return nil
}
