package cli

import (
	"net"
	"strings"

	"github.com/endwell-go/endwell"
	"github.com/endwell-go/endwell/retry"
)

// Cause says in the system's words why a provider could not be reached, or a connection
// broke; "" for other faults, and when it is not known. It holds no host, no address and
// nothing that the provider said, since it is made of the causes that e unwraps to.
func Cause(e *endwell.Error) string {
	if e == nil || e.Fault != endwell.Unreachable && e.Fault != endwell.Broken {
		return ""
	}
	var all []string
	for _, cause := range e.Unwrap() {
		switch c := cause.(type) {
		case retry.Stop: // why it was not sent again is no cause
		case *net.DNSError:
			all = append(all, c.Err) // the name has been taken out of the rest
		default:
			all = append(all, cause.Error())
		}
	}
	return strings.Join(all, "; ")
}
