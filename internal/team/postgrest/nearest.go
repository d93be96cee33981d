package postgrest

// nearest returns the known name that a misspelt one is most likely meant to
// be: one that differs in at most a third of its letters, "" if there is none.
func nearest(name string, known []string) string {
	best, least := "", len(name)/3+1
	if len(name) < 3 || len(name) > 63 {
		return ""
	}
	for _, k := range known {
		if d := distance(name, k); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance is Levenshtein's: how many letters are changed, put in or left out.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
