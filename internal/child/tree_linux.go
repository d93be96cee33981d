package child

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// processes lists every process that is not a zombie, with its parent, from
// /proc/PID/stat (proc_pid_stat(5)).
func processes() map[proc]int {
	const state, ppid, starttime = 0, 1, 19 // counted after the name
	dirs, _ := os.ReadDir("/proc")
	all := make(map[proc]int, len(dirs))
	for _, d := range dirs {
		pid, err := strconv.Atoi(d.Name())
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile("/proc/" + d.Name() + "/stat")
		// The name stands in parentheses and may hold anything, also ") ".
		f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(f) <= starttime || f[state][0] == 'Z' || f[state][0] == 'X' {
			continue
		}
		parent, _ := strconv.Atoi(string(f[ppid]))
		all[proc{pid, string(f[starttime])}] = parent
	}
	return all
}

// writesTo reports whether output is the stdout or stderr of a process of
// this user.
func writesTo(pid int, output os.FileInfo) bool {
	for fd := 1; fd <= 2; fd++ {
		info, err := os.Stat(fmt.Sprintf("/proc/%d/fd/%d", pid, fd))
		if err == nil && os.SameFile(info, output) {
			return true
		}
	}
	return false
}
