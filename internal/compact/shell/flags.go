package shell

import (
	"slices"
	"strings"
)

// valueFlags are the flags that take the next argument as their value, for
// the tools whose flags stand in front of or between the words that rules
// match. A flag that is missing here only hides the words after it.
// A slice of constants costs nothing at start-up; a map would.
var valueFlags = []struct{ tool, flags string }{
	{"apt", "-o -c -t --option --target-release"},
	{"apt-get", "-o -c -t --option --target-release"},
	{"aws", "--region --profile --output --query --endpoint-url --color --cli-read-timeout"},
	{"bundle", "--gemfile"},
	{"cargo", "-C -Z --color --config --manifest-path --target-dir --target -p --package --features -F -j --jobs"},
	{"composer", "-d --working-dir"},
	{"conda", "-n --name -p --prefix"},
	{"docker", "-H --host -c --context -l --log-level --config -f --file -p --project-name --profile --env-file --project-directory --ansi --progress -n --tail --since --until"},
	{"gcloud", "--project --account --configuration --format --region --zone"},
	{"gh", "-R --repo"},
	{"git", "-C -c --git-dir --work-tree --namespace --exec-path --config-env"},
	{"go", "-C"},
	{"gradle", "-p --project-dir -b --build-file -c --settings-file -x --exclude-task -I --init-script -g --max-workers --console"},
	{"hatch", "-e --env -p --project"},
	{"head", "-n -c --lines --bytes"},
	{"helm", "-n --namespace --kube-context --kubeconfig -f --values"},
	{"journalctl", "-u --unit -n --lines -p --priority -o --output -t --since --until"},
	{"kubectl", "-n --namespace --context --cluster --kubeconfig --user -s --server -o --output -l --selector -c --container -f --filename --as --token --request-timeout"},
	{"make", "-C --directory -f --file --makefile -I -o -W"},
	{"mvn", "-f --file -pl --projects -P -s --settings -T --threads -rf --log-file -l"},
	{"node", "-r --require --import --loader --experimental-loader -C --conditions --env-file --test-name-pattern --test-reporter --test-reporter-destination"},
	{"npm", "--prefix -C -w --workspace --loglevel --registry --userconfig --cache --script-shell"},
	{"pip", "--proxy --timeout --retries --cache-dir --log --cert --python"},
	{"pnpm", "-C --dir --filter -F --filter-prod --prefix --reporter --loglevel"},
	{"poetry", "-C --directory -P --project"},
	{"python", "-W -X"},
	{"rails", "-e --environment -p --port -b --binding"},
	{"systemctl", "-H --host -M --machine -n --lines -p --property -t --type -o --output"},
	{"tail", "-n -c --lines --bytes -s --pid"},
	{"turbo", "--filter -F --cwd --concurrency"},
	{"uv", "--directory --project --config-file --cache-dir -p --python --color"},
	{"yarn", "--cwd --cache-folder --modules-folder"},
}

func flagsOf(tool string) string {
	for _, v := range valueFlags {
		if v.tool == tool {
			return v.flags
		}
	}
	return ""
}

// listed reports whether word is one of the space-separated words of list.
func listed(list, word string) bool {
	for f := range strings.FieldsSeq(list) {
		if f == word {
			return true
		}
	}
	return false
}

// nextWord returns the index, from i on, of the next argument of tool that is
// neither a flag nor a flag's value; "--" is a word. It may be len(args).
func nextWord(tool string, args []string, i int) int {
	values := flagsOf(tool)
	for i < len(args) {
		a := args[i]
		switch {
		case a == "--" || !isFlag(tool, a):
			return i
		case listed(values, a):
			i += 2
		case tool == "make" && (a == "-j" || a == "-l") && i+1 < len(args) && isNumber(args[i+1]):
			i += 2
		default:
			i++
		}
	}
	return len(args)
}

func isFlag(tool, arg string) bool {
	if len(arg) < 2 {
		return false
	}
	// cargo +nightly test, tail +5
	return arg[0] == '-' || arg[0] == '+' && (tool == "cargo" || tool == "rustc" || tool == "tail")
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789.") == ""
}

// hasFlag reports whether flag stands among the arguments, alone or with
// =value. What follows "--" counts: `npm test -- --watch` passes it on.
func (c Call) hasFlag(flag string) bool {
	return slices.ContainsFunc(c.Args, func(a string) bool { return a == flag || strings.HasPrefix(a, flag) && a[len(flag)] == '=' })
}
