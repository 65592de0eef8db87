package classify

import "reflect"

// maxChain bounds how many errors of a tree are looked at, so that an error that
// wraps itself cannot hang a stream.
const maxChain = 64

// chain is an error with all that it wraps, depth first, without nil pointers.
// Walking it calls no method of an error that could trip over a nil receiver.
type chain []error

func flatten(err error) chain { return grow(nil, err) }

func grow(c chain, err error) chain {
	if err == nil || len(c) >= maxChain || isNil(err) {
		return c
	}
	c = append(c, err)
	switch u := err.(type) {
	case interface{ Unwrap() error }:
		return grow(c, u.Unwrap())
	case interface{ Unwrap() []error }:
		for _, e := range u.Unwrap() {
			c = grow(c, e)
		}
	}
	return c
}

// find returns the first error of type T, by assertion or by the error's own As.
func find[T error](c chain) (T, bool) {
	for _, err := range c {
		if t, ok := err.(T); ok {
			return t, true
		}
		var t T
		if a, ok := err.(interface{ As(any) bool }); ok && a.As(&t) {
			if !isNil(t) {
				return t, true
			}
		}
	}
	var none T
	return none, false
}

// has reports whether target, which must be comparable, is in the chain.
func (c chain) has(target error) bool {
	for _, err := range c {
		if err == target {
			return true
		}
		if i, ok := err.(interface{ Is(error) bool }); ok && i.Is(target) {
			return true
		}
	}
	return false
}

func isNil(err error) bool {
	v := reflect.ValueOf(err)
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan, reflect.Interface:
		return v.IsNil()
	default:
		return !v.IsValid()
	}
}
