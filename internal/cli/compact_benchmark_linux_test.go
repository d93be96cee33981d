//go:build amd64 || arm64

package cli

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"cairn/test/cairntest"
)

// jailed names a variable that makes this test binary a jail: it takes the
// right to open a socket from itself for good and then becomes the program of
// its arguments.
const jailed = "CAIRN_TEST_JAIL"

func init() {
	if os.Getenv(jailed) == "" {
		return
	}
	os.Unsetenv(jailed)
	if err := forbidSockets(); err != nil {
		fmt.Fprintln(os.Stderr, "no jail:", err)
		os.Exit(99)
	}
	if os.Args[1] == "dial" { // the control
		_, err := net.Dial("tcp", "127.0.0.1:9")
		fmt.Println("dialed", err)
		os.Exit(0)
	}
	fmt.Fprintln(os.Stderr, syscall.Exec(os.Args[1], os.Args[1:], os.Environ()))
	os.Exit(98)
}

// forbidSockets makes the kernel kill this thread's process, and whatever it
// becomes, at the system call socket or socketpair, and at any call of another
// architecture's table.
func forbidSockets() error {
	arch := map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}[runtime.GOARCH]
	const (
		load  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		ret   = unix.BPF_RET | unix.BPF_K

		kill  = 0x80000000 // SECCOMP_RET_KILL_PROCESS
		allow = 0x7fff0000 // SECCOMP_RET_ALLOW
	)
	filter := []unix.SockFilter{
		{Code: load, K: 4}, // seccomp_data.arch
		{Code: equal, K: arch, Jt: 0, Jf: 3},
		{Code: load, K: 0}, // seccomp_data.nr
		{Code: equal, K: unix.SYS_SOCKET, Jt: 1, Jf: 0},
		{Code: equal, K: unix.SYS_SOCKETPAIR, Jt: 0, Jf: 1},
		{Code: ret, K: kill},
		{Code: ret, K: allow},
	}
	runtime.LockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
}

// jail runs a program that is killed when it opens a socket.
func jail(t *testing.T, args ...string) (output string, killed bool) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), jailed+"=1", "HOME="+dir, "CAIRN_HOME="+filepath.Join(dir, ".cairn"),
		"ANTHROPIC_API_KEY=k", "CAIRN_COMPACT_VERIFIER_ENABLED=true", "CAIRN_COMPACT_VERIFY=1") // whoever may ask a model would
	out, _ := cmd.CombinedOutput()
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if status.ExitStatus() == 99 {
		t.Skipf("this kernel has no seccomp: %s", out)
	}
	return string(out), status.Signaled() && status.Signal() == syscall.SIGSYS
}

// Nothing leaves the machine: the kernel would kill a benchmark that opened a
// socket, even by a library's doing.
func TestBenchmarkOpensNoSocket(t *testing.T) {
	cairntest.Long(t)
	t.Parallel()
	if out, killed := jail(t, "dial"); !killed {
		t.Fatalf("the jail lets a socket through: %s", out)
	}
	root := t.TempDir()
	var output strings.Builder
	for i := range 400 {
		fmt.Fprintf(&output, "step %d: %x\n", i, i*i*i)
	}
	lines := fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"./deploy"}}]}}`+"\n"+
		`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":%q}]}}`+"\n", output.String())
	if err := os.WriteFile(filepath.Join(root, "s.jsonl"), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"benchmark", "discover"} {
		args := []string{built(t), "compact", verb, "--since", "all", "--root", root, "--json"}
		if out, killed := jail(t, args...); killed || !strings.Contains(out, `"deploy"`) {
			t.Errorf("%s: killed %v: %s", verb, killed, out)
		}
		notAsked(t, args...)
	}
}

// notAsked runs a program that could ask a model: nothing may come to where
// that would be, not even by a child.
func notAsked(t *testing.T, args ...string) {
	t.Helper()
	model, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan bool)
	go func() {
		conn, err := model.Accept()
		if err == nil {
			conn.Close()
		}
		asked <- err == nil
	}()
	dir := t.TempDir()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "HOME="+dir, "CAIRN_HOME="+filepath.Join(dir, ".cairn"),
		"ANTHROPIC_API_KEY=k", "CAIRN_COMPACT_VERIFIER_ENABLED=true", "CAIRN_COMPACT_VERIFY=1", "ANTHROPIC_BASE_URL=http://"+model.Addr().String())
	_ = cmd.Run() // its exit code is the gate's
	model.Close()
	if <-asked {
		t.Errorf("%v asked a model", args)
	}
}
