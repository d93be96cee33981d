package x

func a() { other.B() }
