package stats

import "math"

// CohenKappa is the agreement of two judges who sorted the same items into the
// same categories, beyond what chance would give: (po − pe)/(1 − pe).
// table[i][j] counts the items that the first put into category i and the
// second into j. 1 is full agreement, 0 what chance gives, below 0 less.
//
// Source: Cohen, "A coefficient of agreement for nominal scales", Educational
// and Psychological Measurement 20 (1960).
//
// ok is false, and kappa NaN, where there is no κ: a table that is empty, not
// square or has a negative count, no items, or both judges put every item into
// the same one category (agreement by chance is then certain, κ is 0/0).
func CohenKappa(table [][]int) (kappa float64, ok bool) {
	rows, columns := make([]float64, len(table)), make([]float64, len(table))
	total, seen, expected := 0., 0., 0. // seen and expected: of disagreement
	for i, row := range table {
		if len(row) != len(table) {
			return math.NaN(), false
		}
		for j, count := range row {
			if count < 0 {
				return math.NaN(), false
			}
			n := float64(count)
			rows[i] += n
			columns[j] += n
			total += n
			if i != j {
				seen += n
			}
		}
	}
	for i := range rows {
		for j := range columns {
			if i != j {
				expected += rows[i] * columns[j]
			}
		}
	}
	if expected == 0 {
		return math.NaN(), false
	}
	return 1 - seen*total/expected, true
}

// FleissKappa is the agreement of several judges. counts[i][j] is the number
// of judges who put subject i into category j; each row must sum to the same
// number of judges, at least 2, who need not be the same persons throughout.
//
// Source: Fleiss, "Measuring nominal scale agreement among many raters",
// Psychological Bulletin 76 (1971).
//
// ok is false, and kappa NaN, where there is no κ: no rows, rows of unequal
// length or sum, a negative count, fewer than 2 judges, or one category that
// took every vote.
func FleissKappa(counts [][]int) (kappa float64, ok bool) {
	if len(counts) == 0 {
		return math.NaN(), false
	}
	category := make([]float64, len(counts[0]))
	judges, pairs := -1., 0. // pairs of judges who agree
	for _, row := range counts {
		sum := 0.
		if len(row) != len(category) {
			return math.NaN(), false
		}
		for j, count := range row {
			if count < 0 {
				return math.NaN(), false
			}
			n := float64(count)
			sum += n
			category[j] += n
			pairs += n * (n - 1)
		}
		if judges < 0 {
			judges = sum
		}
		if sum < 2 || sum != judges {
			return math.NaN(), false
		}
	}
	subjects := float64(len(counts))
	seen := pairs / (subjects * judges * (judges - 1))
	chance, full := 0., false
	for _, n := range category {
		share := n / (subjects * judges)
		chance += share * share
		full = full || n == subjects*judges
	}
	if full {
		return math.NaN(), false
	}
	return (seen - chance) / (1 - chance), true
}
