// Package scan holds internal/jsonscan against jsontext: what it accepts, the values
// that it hands out, and where it says that they stand. It has tests and fuzz targets
// and exports nothing.
//
//	go test -run xxx -fuzz FuzzWalk ./scan
//
// jsontext is asked to accept duplicate names and invalid UTF-8, as jsonscan does. Both
// refuse nesting beyond 10,000. There is no other difference in what they accept.
package scan
