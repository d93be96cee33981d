// Package must ends an answer where something goes wrong: OK and the Get
// functions panic with the error, and Catch makes an error of that again, where
// somebody outside waits for one. Commands, changes of the plan, pages and readers
// of results use it; see docs/adr/0019.
package must

// stop is what OK panics with; any other panic is none of ours.
type stop struct{ err error }

// OK goes on without an error.
func OK(err error) {
	if err != nil {
		panic(stop{err})
	}
}

// Fail ends the answer with an error.
func Fail(err error) { OK(err) }

// Get is OK that returns what came with the error.
func Get[T any](v T, err error) T {
	OK(err)
	return v
}

// Get2 is Get of two values.
func Get2[A, B any](a A, b B, err error) (A, B) {
	OK(err)
	return a, b
}

// Catch calls fn and returns the error that ended it.
func Catch(fn func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case stop:
			err = p.err
		default:
			panic(p)
		}
	}()
	fn()
	return nil
}
