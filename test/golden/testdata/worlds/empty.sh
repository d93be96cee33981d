# Nothing is there yet.
