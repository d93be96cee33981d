// The team pages.
