package cli

import (
	"runtime"
	"runtime/debug"
	"slices"

	"cairn/internal/config"
	"cairn/internal/install"
)

// ownChecks are about cairn itself: its settings and rules in directory dir,
// the verifier, and how this binary was built.
func ownChecks(env *Env, dir string) []install.Check {
	checks := []install.Check{}
	set, warnings := config.Load(dir, env.Getenv)
	for _, w := range warnings {
		checks = append(checks, install.Check{Name: "config", Status: install.Warn, Detail: w.String(),
			Hint: "cairn config list shows every setting"})
	}
	for _, off := range compactOptions(env, dir).Library.Off {
		checks = append(checks, install.Check{Name: "rules", Status: install.Warn, Detail: off.String(),
			Hint: "cairn compact reload says what is wrong with it"})
	}
	if env.Getenv(verifierKey) != "" && set.Bool(config.VerifierEnabled) {
		checks = append(checks, install.Check{Name: "verifier", Status: install.OK,
			Detail: "on, because " + verifierKey + " is set: lines of some failing outputs, secrets removed, go to " + set.Text(config.VerifierModel),
			Hint:   "cairn config set compact.verifier.enabled false turns it off"})
	}
	if dynamic() {
		checks = append(checks, install.Check{Name: "build", Status: install.Warn,
			Detail: "this binary loads the system's C library, which makes every hook about a quarter slower",
			Hint:   "CGO_ENABLED=0 go install . builds it without"})
	}
	return checks
}

// dynamic reports whether the binary was built with cgo: linking package net
// with it makes the binary a dynamic one.
func dynamic() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && runtime.GOOS == "linux" && slices.Contains(info.Settings, debug.BuildSetting{Key: "CGO_ENABLED", Value: "1"})
}
