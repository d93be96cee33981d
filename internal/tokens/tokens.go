// Package tokens temp.
package tokens

import "unicode/utf8"

func Estimate(s string) int   { return (utf8.RuneCountInString(s) + 3) / 4 }
func EstimateBytes(n int) int { return (n + 3) / 4 }
