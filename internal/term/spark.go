package term

// Spark draws values as bars of eight heights. A value above zero is never
// drawn as none.
func Spark(values []int) string {
	bars := []rune("▁▂▃▄▅▆▇█")
	most := 1
	for _, v := range values {
		most = max(most, v)
	}
	line := make([]rune, len(values))
	for i, v := range values {
		switch {
		case v <= 0:
			line[i] = '·'
		default:
			line[i] = bars[min(v*len(bars)/most, len(bars)-1)]
		}
	}
	return string(line)
}
