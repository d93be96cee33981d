package calls

import (
	"bytes"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// pathOf is where an open file is.
func pathOf(f *os.File) (string, error) {
	buf := make([]byte, unix.PathMax)
	_, err := unix.FcntlInt(f.Fd(), unix.F_GETPATH, int(uintptr(unsafe.Pointer(&buf[0]))))
	runtime.KeepAlive(buf)
	name, _, _ := bytes.Cut(buf, []byte{0})
	return string(name), err
}
