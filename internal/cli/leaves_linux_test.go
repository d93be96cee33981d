package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"cairn/test/cairntest"
)

// looped names a variable by which this test binary brings up the loopback
// device of the network that it is alone in, and becomes the program of its
// arguments.
const looped = "CAIRN_TEST_LOOPBACK"

func init() {
	if os.Getenv(looped) == "" {
		return
	}
	os.Unsetenv(looped)
	if err := loopbackUp(); err != nil {
		fmt.Fprintln(os.Stderr, "no loopback:", err)
		os.Exit(99)
	}
	fmt.Fprintln(os.Stderr, syscall.Exec(os.Args[1], os.Args[1:], os.Environ()))
	os.Exit(98)
}

func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo)
}

var toNetwork = regexp.MustCompile(`\b(?:connect|sendto|sendmsg|sendmmsg)\(.*sa_family=AF_INET6?,`)

// In a network of its own without a route, no process of cairn's so much as
// tries to reach another machine: its own server on loopback is all.
func TestNoConnectionLeaves(t *testing.T) {
	cairntest.Long(t)
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed: nobody sees what is connected to")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, env := leavesEnv(t, "http://192.0.2.1:9") // which is nobody's (RFC 5737)
	trace := filepath.Join(t.TempDir(), "trace")
	run := func(script string) []string {
		t.Helper()
		cmd := exec.Command(self, strace, "-f", "--seccomp-bpf", "-qq", "-s", "256", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o", trace, "sh", "-c", script)
		cmd.Dir, cmd.Env = dir, append(env, looped+"=1", "CAIRN_SYNC_BACKGROUND=0")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
		if os.Getuid() != 0 {
			cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
			cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
			cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
		}
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() == 99 || strings.Contains(string(out), "ptrace") {
			t.Skipf("this machine gives no network of its own, or no trace: %v %s", err, out)
		}
		if !strings.Contains(string(out), "all done") {
			t.Fatalf("%v: %s", err, out)
		}
		data, err := os.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		var away []string
		for line := range strings.Lines(string(data)) {
			if toNetwork.MatchString(line) && !strings.Contains(line, `inet_addr("127.0.0.1")`) && !strings.Contains(line, `inet_pton(AF_INET6, "::1"`) {
				away = append(away, line)
			}
		}
		return away
	}
	if away := run(everyFeature); len(away) > 0 {
		t.Errorf("%d calls to other machines:\n%s", len(away), strings.Join(away[:min(len(away), 10)], ""))
	}
	// The control: where a person names a server, it is seen.
	if away := run(`"$cairn" sync setup --url https://192.0.2.1 --email a@example.org </dev/null; echo all done`); len(away) == 0 {
		t.Error("a server is named, and no connection is seen: this test sees nothing")
	}
}
