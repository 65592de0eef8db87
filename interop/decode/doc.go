// Package decode holds the wire families next to each other: the same body goes
// through endwell's dialect and through the family's official Go SDK, in the same
// process, so that their costs can be compared.
//
// A Pair is one family. Its body is written by this package; it is handed over in
// pieces, a frame each, as a server that flushes every token sends it. The SDK reads
// it with its own client, whose transport returns the body without a network, and
// the clock starts at the first read of the body, so that setting up the client and
// sending the request cost nothing. Both sides hand every piece of text to the same
// function.
//
// An SDK is read in the cheapest way that gives the caller typed text. Where its
// documentation shows a dearer one, that is the caller's choice and is not counted.
package decode
