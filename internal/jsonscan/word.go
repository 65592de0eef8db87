package jsonscan

// word returns the eight bytes of p from i on, the first one lowest. It is
// free of bounds checks where the caller has seen that 0 <= i <= len(p)-8.
func word[T []byte | string](p T, i int) uint64 {
	return uint64(p[i]) | uint64(p[i+1])<<8 | uint64(p[i+2])<<16 | uint64(p[i+3])<<24 |
		uint64(p[i+4])<<32 | uint64(p[i+5])<<40 | uint64(p[i+6])<<48 | uint64(p[i+7])<<56
}
