package record

import "strings"

// bundlerNoise reports whether a line of Bundler or gem tells nothing of the
// result: its advice, and the frames of its own backtrace, which it wraps.
func bundlerNoise(s string) bool {
	t := strings.TrimLeft(s, " ")
	switch {
	case hasPrefix(s, "Don't run Bundler as root", "installing your bundle as root", "users on this machine.", "Bundled gems are installed into", "Post-install message from ", "Gem files will remain installed in", "Results logged to", "To see why this extension failed to compile"):
		return true
	case strings.HasPrefix(t, "/") && strings.Contains(t, ".rb:"):
		return rubyForeign(t) || strings.HasPrefix(t, "/usr/lib/ruby/")
	case strings.HasPrefix(t, "/") && !strings.Contains(t, " ") && hasAny(t, "/gem_make.out", "/mkmf.log"):
		return true
	}
	frame := strings.HasSuffix(t, "'") && strings.Count(t, "'") == 1 // the end of a frame that was wrapped
	return frame && (strings.HasPrefix(t, "`") || !strings.ContainsAny(t, "` \""))
}
