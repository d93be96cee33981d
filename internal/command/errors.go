package command

import "fmt"

// Kinds of failure that have an exit code of their own. A command wraps its
// error in one of them, or returns an error of a domain that the command line
// has a code for.
const (
	ErrUsage kind = "usage"
	ErrData  kind = "bad input data"
	ErrAuth  kind = "not signed in"
	ErrGate  kind = "check said no"
	ErrNet   kind = "network"
)

// A kind is an error that costs nothing before it happens: hooks start many times a minute.
type kind string

func (k kind) Error() string { return string(k) }

// kinded puts a kind behind an error without changing what it says.
type kinded struct {
	error
	kind error
}

func (k kinded) Unwrap() []error { return []error{k.error, k.kind} }

func withKind(kind, err error) error {
	if err == nil {
		return nil
	}
	return kinded{err, kind}
}

// Usage, Data, Auth, Gate and Net put their kind behind an error; nil stays nil.
func Usage(err error) error { return withKind(ErrUsage, err) }
func Data(err error) error  { return withKind(ErrData, err) }
func Auth(err error) error  { return withKind(ErrAuth, err) }
func Gate(err error) error  { return withKind(ErrGate, err) }
func Net(err error) error   { return withKind(ErrNet, err) }

// Usagef and Dataf are Usage and Data of a new error.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }
func Dataf(format string, args ...any) error  { return Data(fmt.Errorf(format, args...)) }

// Status ends the process with a code without a word, such as the exit code of
// the tool that `cairn run` ran.
type Status int

func (Status) Error() string { return "exit status" }

// The exit codes of every command.
const (
	ExitOK     = 0
	ExitFailed = 1
	ExitUsage  = 2
	ExitData   = 3
	ExitAuth   = 4
	ExitGate   = 5
	ExitNet    = 6
)
