package failing

import (
	"fmt"
	"testing"
)

func TestWholeKilograms(t *testing.T) {
	for zone, z := range zones {
		for kg := 1; kg <= 40; kg++ {
			t.Run(fmt.Sprintf("%s/%dkg", zone, kg), func(t *testing.T) {
				t.Logf("asking for %d kg to zone %s", kg, zone)
				got, err := Price(zone, kg*1000)
				if err != nil {
					t.Fatal(err)
				}
				if want := z[0] + kg*z[1]; got != want {
					t.Errorf("%d kg to %s cost %d, want %d", kg, zone, got, want)
				}
			})
		}
	}
}

func TestStartedKilogram(t *testing.T) {
	for _, tt := range []struct {
		zone  string
		grams int
		want  int
	}{
		{"local", 500, 290},
		{"local", 1000, 290},
		{"domestic", 1200, 600},
		{"abroad", 2001, 1530},
	} {
		t.Run(fmt.Sprintf("%s/%dg", tt.zone, tt.grams), func(t *testing.T) {
			got, err := Price(tt.zone, tt.grams)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("%d g to %s cost %d, want %d", tt.grams, tt.zone, got, tt.want)
			}
		})
	}
}

func TestNoWeight(t *testing.T) {
	if _, err := Price("local", 0); err != ErrWeight {
		t.Errorf("got %v", err)
	}
}
