// Package failing is an example: its tests print a lot and one fault makes
// some of them fail, as in a real project. `cairn run` shows what an agent
// would read of it.
package failing

import "errors"

// ErrWeight is returned for a parcel that weighs nothing.
var ErrWeight = errors.New("a parcel weighs something")

// zones are prices in cents: the base and each started kilogram.
var zones = map[string][2]int{
	"local":    {250, 40},
	"domestic": {450, 75},
	"abroad":   {990, 180},
}

// Price returns the price of a parcel of so many grams in cents.
func Price(zone string, grams int) (int, error) {
	if grams <= 0 {
		return 0, ErrWeight
	}
	z, ok := zones[zone]
	if !ok {
		return 0, errors.New("unknown zone " + zone)
	}
	kilograms := grams / 1000 // the fault: a started kilogram counts as a whole one
	return z[0] + kilograms*z[1], nil
}
