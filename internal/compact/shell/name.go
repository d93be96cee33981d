package shell

import "strings"

// baseName turns what was typed into the name that rules are written for:
// /usr/bin/python3.12 is python, .\gradlew.bat is gradle, jest@29 is jest.
func baseName(word string) string {
	name := strings.ToLower(word)
	if at := strings.LastIndexByte(name, '@'); at > 0 && !strings.Contains(name[at:], "/") {
		name = name[:at] // npx jest@29, npx @biomejs/biome@1.9
	}
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	for _, ext := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ext)
	}
	unversioned := strings.TrimRight(name, "0123456789.")
	switch unversioned {
	case "python", "pip", "pypy":
		return unversioned
	case "gcc-", "g++-", "clang-", "clang++-", "clang-tidy-", "llvm-cov-":
		return strings.TrimSuffix(unversioned, "-")
	}
	switch name {
	case "gradlew":
		return "gradle"
	case "mvnw", "mvnd":
		return "mvn"
	case "gmake":
		return "make"
	case "nodejs":
		return "node"
	case "egrep", "fgrep", "ggrep":
		return "grep"
	case "gsed":
		return "sed"
	case "py":
		return "python"
	case "podman":
		return "docker"
	}
	return name
}

const (
	// silent commands write nothing, or a line or two that no rule is for.
	silent = "cd pushd popd export source . mkdir rmdir set unset test [ true false : rm cp mv touch chmod chown chgrp ln sleep wait read local declare typeset readonly alias unalias shift trap umask ulimit hash kill pkill killall exit return break continue shopt setopt unsetopt echo printf mktemp basename dirname"

	// quiet commands write to stdout only: with stdout in a file there is
	// nothing to see.
	quiet = "cat tee head tail sed awk gawk grep rg sort uniq wc jq yq tr cut xxd base64 date seq"

	// filters show another command's lines, changed or chosen.
	filters = "grep rg ag ack sed awk gawk mawk perl sort uniq wc jq yq cut tr column nl fold fmt rev tac shuf paste"
)

// transparent reports whether the call, at the end of a pipe, shows what it
// reads as it is, and whether it shows only a part.
func (c Call) transparent() (through, clipped bool) {
	operand := nextWord(c.Name, c.Args, 0)
	for operand < len(c.Args) && c.Args[operand] == "-" {
		operand = nextWord(c.Name, c.Args, operand+1)
	}
	noFile := operand >= len(c.Args)
	switch c.Name {
	case "tee":
		return true, false
	case "cat", "bat", "ts", "sponge", "sort":
		return noFile, false
	case "head", "tail", "less", "more":
		return noFile && !c.follows(), true
	case "sed": // sed -n '1,50p', sed 50q
		expr := ""
		for _, a := range c.Args {
			if a != "-n" {
				expr += a
			}
		}
		return expr != "" && strings.Trim(expr, "0123456789,$pq;") == "" && strings.ContainsAny(expr, "0123456789"), true
	}
	return false, false
}
