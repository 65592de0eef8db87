package classify

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"reflect"

	"github.com/endwell-go/endwell/internal/errtree"
)

// untrusted reports a TLS failure that stays until somebody changes something: a
// certificate that is not trusted, has expired or is for another host, a server
// that does not speak TLS, or an alert about how the two sides are set up.
func untrusted(c errtree.Tree) bool {
	if alert, ok := alertOf(c); ok {
		return settled(alert)
	}
	if c.Has(http.ErrSchemeMismatch) {
		return true
	}
	return anyOf(c,
		is[*tls.CertificateVerificationError],
		is[x509.UnknownAuthorityError],
		is[x509.CertificateInvalidError],
		is[x509.HostnameError],
		is[x509.SystemRootsError],
		is[x509.ConstraintViolationError],
		is[tls.RecordHeaderError],
		is[*tls.ECHRejectionError],
	)
}

// settled reports whether an alert tells of a setup. The others, such as
// internal_error or close_notify, may pass. Numbers as in RFC 8446 §6.
func settled(alert tls.AlertError) bool {
	switch uint8(alert) {
	case 0, 20, 21, 22, 50, 51, 80, 90: // of the moment, or of the bytes
		return false
	default:
		return true
	}
}

// alertOf finds an alert. Over TCP it has an unexported type of crypto/tls, a byte
// like the exported one, which only QUIC uses.
func alertOf(c errtree.Tree) (tls.AlertError, bool) {
	for _, err := range c {
		v := reflect.ValueOf(err)
		if v.Kind() == reflect.Uint8 && v.Type().PkgPath() == "crypto/tls" {
			return tls.AlertError(v.Uint()), true
		}
	}
	return 0, false
}

func is[T error](c errtree.Tree) bool { _, ok := errtree.Find[T](c); return ok }

func anyOf(c errtree.Tree, tests ...func(errtree.Tree) bool) bool {
	for _, t := range tests {
		if t(c) {
			return true
		}
	}
	return false
}
