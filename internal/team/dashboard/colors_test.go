package dashboard

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cairn/internal/team/page"
)

// eyes are how people without red, green or blue cones see linear RGB, and
// those with all: Machado, Oliveira and Fernandes 2009, severity 1.
var eyes = map[string][3][3]float64{
	"no red":   {{.152286, 1.052583, -.204868}, {.114503, .786281, .099216}, {-.003882, -.048116, 1.051998}},
	"no green": {{.367322, .860646, -.227968}, {.280085, .672501, .047413}, {-.011820, .042940, .968881}},
	"no blue":  {{1.255528, -.076749, -.178779}, {-.078411, .930809, .147602}, {.004733, .691367, .303900}},
	"all":      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
}

// Colors of series keep 3 : 1 against the card (WCAG 2.2, 1.4.11) and differ by
// at least .09 in Oklab for all eyes, in light and dark.
func TestColors(t *testing.T) {
	base, _ := page.Base()
	const dark = "@media screen and (prefers-color-scheme: dark)"
	ours, bases := strings.SplitN(string(file("chart.css")), dark, 2), strings.SplitN(string(base), dark, 2)
	for scheme := range 2 {
		list := regexp.MustCompile(`--c(\d): #([0-9a-f]{6})`).FindAllStringSubmatch(ours[scheme], -1)
		card := regexp.MustCompile(`--card: #([0-9a-f]{6})`).FindStringSubmatch(bases[scheme])
		if len(list) != mostSeries+1 {
			t.Fatalf("%d colors", len(list))
		}
		for i, one := range list {
			lo, hi := brightness(light(card[1])), brightness(light(one[2]))
			if lo > hi {
				lo, hi = hi, lo
			}
			if c := (hi + .05) / (lo + .05); c < 3 {
				t.Errorf("color %s on the card: %.2f", one[1], c)
			}
			for _, other := range list[:i] {
				for name, eye := range eyes {
					if d := distance(seen(eye, light(one[2])), seen(eye, light(other[2]))); d < .09 && i < mostSeries {
						t.Errorf("scheme %d, eyes with %s: %s and %s differ by %.3f", scheme, name, one[1], other[1], d)
					}
				}
			}
		}
	}
}

func light(hex string) (rgb [3]float64) {
	for i := range rgb {
		v, _ := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if rgb[i] = float64(v) / 255; rgb[i] <= .04045 {
			rgb[i] /= 12.92
		} else {
			rgb[i] = math.Pow((rgb[i]+.055)/1.055, 2.4)
		}
	}
	return rgb
}

func brightness(rgb [3]float64) float64 { return .2126*rgb[0] + .7152*rgb[1] + .0722*rgb[2] }

func product(m [3][3]float64, v [3]float64) (out [3]float64) {
	for i := range m {
		out[i] = m[i][0]*v[0] + m[i][1]*v[1] + m[i][2]*v[2]
	}
	return out
}

func seen(eye [3][3]float64, rgb [3]float64) [3]float64 {
	rgb = product(eye, rgb)
	for i := range rgb {
		rgb[i] = math.Max(0, math.Min(1, rgb[i]))
	}
	lms := product([3][3]float64{{.4122214708, .5363325363, .0514459929}, {.2119034982, .6806995451, .1073969566}, {.0883024619, .2817188376, .6299787005}}, rgb)
	for i := range lms {
		lms[i] = math.Cbrt(lms[i])
	}
	return product([3][3]float64{{.2104542553, .793617785, -.0040720468}, {1.9779984951, -2.428592205, .4505937099}, {.0259040371, .7827717662, -.808675766}}, lms)
}

func distance(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}
