//go:build unix

package plan

import "syscall"

// slurp reads what is known to be a regular file, into a buffer that is used again
// as far as there is one that is large enough. It asks the system directly: os.Open
// would try to wait for the file's events, five calls more, and a query reads
// hundreds of files.
func slurp(name string, buffer []byte) (b []byte, size int64, err error) {
	fd, err := retry(func() (int, error) { return syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0) })
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = syscall.Close(fd) }()
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil {
		return nil, 0, err
	}
	if st.Size > maxFile {
		return nil, st.Size, nil
	}
	if b = buffer[:0]; b == nil || int64(cap(b)) < st.Size { // an empty file is not none
		b = make([]byte, 0, st.Size)
	}
	b = b[:st.Size]
	for n := 0; n < len(b); {
		m, err := retry(func() (int, error) { return syscall.Read(fd, b[n:]) })
		if err != nil {
			return nil, 0, err
		}
		if m == 0 { // shorter by now
			return b[:n], int64(n), nil
		}
		n += m
	}
	return b, st.Size, nil
}

// retry calls again what a signal interrupted.
func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != syscall.EINTR {
			return n, err
		}
	}
}
