package installcmd

import (
	"runtime"
	"runtime/debug"
	"slices"

	"cairn/internal/command"
	"cairn/internal/compact/setup"
	"cairn/internal/config"
	"cairn/internal/install"
	"cairn/internal/verifier"
	"cairn/internal/verifier/client"
)

// ownChecks are about cairn itself: its settings and rules in directory dir,
// the verifier, and how this binary was built.
func ownChecks(env *command.Env, dir string) []install.Check {
	checks := []install.Check{}
	set, warnings := config.Load(dir, env.Getenv)
	for _, w := range warnings {
		if w.Untrusted {
			continue // said below, with the rules
		}
		checks = append(checks, install.Check{Name: "config", Status: install.Warn, Detail: w.String(),
			Hint: "cairn config list shows every setting"})
	}
	if text := setup.Untrusted(env, dir); text != "" {
		checks = append(checks, install.Check{Name: "trust", Status: install.Warn, Detail: text, Hint: "cairn trust"})
	}
	for _, off := range setup.Options(env, dir).Library.Off {
		checks = append(checks, install.Check{Name: "rules", Status: install.Warn, Detail: off.String(),
			Hint: "cairn compact reload says what is wrong with it"})
	}
	switch on, key := set.Bool(config.VerifierEnabled), env.Getenv(verifier.KeyVariable) != ""; {
	case on && key:
		checks = append(checks, install.Check{Name: "verifier", Status: install.OK,
			Detail: "LLM check: on. Lines of some outputs, secrets removed, go to " + client.FromEnv(env.Getenv, "").BaseURL + ", model " + set.Text(config.VerifierModel),
			Hint:   "cairn config set compact.verifier.enabled false turns it off"})
	case on:
		checks = append(checks, install.Check{Name: "verifier", Status: install.Warn,
			Detail: "LLM check: on, but " + verifier.KeyVariable + " is not set here, so nothing is sent"})
	case key:
		checks = append(checks, install.Check{Name: "verifier", Status: install.OK,
			Detail: "LLM check: off, so nothing is sent, though " + verifier.KeyVariable + " is set"})
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
