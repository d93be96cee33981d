package child

import "errors"

// StartError is a tool that could not be started. It reads as a shell would
// say it.
type StartError struct {
	Name string
	Err  error
	Code int // what a shell exits with: 127 not found, 126 found but not executable
}

func (e *StartError) Error() string { return e.Name + ": " + e.Err.Error() }

func (e *StartError) Unwrap() error { return e.Err }

func notFound(name string) error {
	return &StartError{name, errors.New("command not found"), 127}
}
