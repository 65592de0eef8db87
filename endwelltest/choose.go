package endwelltest

import "net/http"

// Choose decides by the request what to do. The request's body can be read again, at
// most its first MiB. The function may be called from any number of goroutines.
func Choose(by func(*http.Request) Step) Step {
	return Step{play: func(x *exchange) {
		r := x.request.WithContext(x.ctx)
		r.Body = &lazyBody{x: x}
		by(r).run(x)
	}, deaf: true}
}
