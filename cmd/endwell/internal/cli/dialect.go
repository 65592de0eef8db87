package cli

import (
	"fmt"

	"github.com/endwell-go/endwell/dialects"
)

// Dialect returns the dialect that a flag or a tape names.
func Dialect(name string) (*dialects.Dialect, error) {
	d, ok := dialects.ByName(name)
	if !ok {
		return nil, fmt.Errorf("dialect %q is not supported: endwell dialects lists those that are", name)
	}
	return d, nil
}
