package calls

import "os"

// Windows has no shell that runs our block.
func identity(*os.File) string { return "" }

func reopen(*os.File, string) (*os.File, error) { return nil, nil }
