// Package errtree looks into errors that somebody else has made. Unlike the functions of
// package errors it calls no method of a nil pointer, which would panic, and comes to an
// end with an error that wraps itself.
package errtree

import "reflect"

// maxErrors bounds how many errors of a tree are looked at. It is far above what anybody
// joins, since what is behind it is not found.
const maxErrors = 4096

// Tree is an error with all that it wraps, depth first, without nil pointers. A nil Tree
// holds nothing. It is safe for concurrent use as far as its errors are.
type Tree []error

// Flatten lists err and what it wraps, 4096 errors at most.
func Flatten(err error) Tree { return grow(nil, err) }

func grow(t Tree, err error) Tree {
	if err == nil || len(t) >= maxErrors || isNil(err) {
		return t
	}
	t = append(t, err)
	switch u := err.(type) {
	case interface{ Unwrap() error }:
		return grow(t, u.Unwrap())
	case interface{ Unwrap() []error }:
		for _, e := range u.Unwrap() {
			t = grow(t, e)
		}
	}
	return t
}

// Find returns the first error of type T, by assertion or by the error's own As. It is
// never a nil pointer.
func Find[T error](t Tree) (T, bool) {
	for _, err := range t {
		if found, ok := err.(T); ok {
			return found, true
		}
		var found T
		if a, ok := err.(interface{ As(any) bool }); ok && a.As(&found) && !isNil(found) {
			return found, true
		}
	}
	var none T
	return none, false
}

// As returns the first error of type T in err, as Find does in its tree.
func As[T error](err error) (T, bool) { return Find[T](Flatten(err)) }

// As is errors.As: it sets *target to the first error of its type. It reports false for a
// target that errors.As would panic at.
func (t Tree) As(target any) bool {
	at := reflect.ValueOf(target)
	if at.Kind() != reflect.Pointer || at.IsNil() {
		return false
	}
	for _, err := range t {
		if reflect.TypeOf(err).AssignableTo(at.Type().Elem()) {
			at.Elem().Set(reflect.ValueOf(err))
			return true
		}
		if a, ok := err.(interface{ As(any) bool }); ok && a.As(target) {
			return true
		}
	}
	return false
}

// Is reports whether target is in err, as Has does of its tree.
func Is(err, target error) bool { return Flatten(err).Has(target) }

// Has reports whether target is in the tree, itself or by an error's own Is. Nil is in none.
func (t Tree) Has(target error) bool {
	if target == nil {
		return false
	}
	comparable := reflect.TypeOf(target).Comparable()
	for _, err := range t {
		if comparable && err == target {
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
