package endwell

import "strconv"

// enumerate lists the values of a closed enum from first up to, not including,
// end.
func enumerate[T ~uint8](first, end T) []T {
	all := make([]T, 0, end-first)
	for v := first; v < end; v++ {
		all = append(all, v)
	}
	return all
}

// enumName returns the i-th name, or the number when there is none, so that a
// value from a later version still prints.
func enumName(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return "invalid_" + strconv.Itoa(i)
}
