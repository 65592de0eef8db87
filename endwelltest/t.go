package endwelltest

// T is the part of testing.TB that this package needs, so that any test framework
// will do.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Cleanup(func())
}
