package middleware

// GuardCause is the cause with which a decorator further out ends a context.
func GuardCause(err error) error { return guardCause{err} }
