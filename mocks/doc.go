// Package mocks holds gomock mocks of the interfaces that endwell's parts meet
// each other through: Next and Stream, Clock and Timer, Ledger and Budget. With
// them a decorator is tested alone: give it a [MockNext], say which calls it must
// make and in which order, and let the [MockStream] answer.
//
// The mocks are generated; go generate ./mocks makes them anew, with a pinned
// mockgen, and needs nothing but Go. For time that moves, clock.Fake is usually
// the better double.
package mocks

//go:generate go run go.uber.org/mock/mockgen@v0.6.0 -destination=endwell.go -package=mocks -typed -write_package_comment=false github.com/endwell-go/endwell Next,Stream
//go:generate go run go.uber.org/mock/mockgen@v0.6.0 -destination=clock.go -package=mocks -typed -write_package_comment=false github.com/endwell-go/endwell/clock Clock,Timer
//go:generate go run go.uber.org/mock/mockgen@v0.6.0 -destination=retry.go -package=mocks -typed -write_package_comment=false github.com/endwell-go/endwell/retry Ledger,Budget
