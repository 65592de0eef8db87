// Package classify turns evidence of a failure into an [endwell.Error]: what a
// provider said, or how a transport broke, becomes a fault, one of the closed
// categories, a transient flag and a wait, with everything that must not be
// rendered kept behind the one accessor that names its danger.
//
// The order is: an error that is already classified stays as it is; a transport's
// error is judged by its type; then, for a provider's report, a status that allows
// one reading only, the dialect's own code table, the status, generic tokens, and a
// short list of words where there is neither token nor status. A provider's prose
// decides only where nothing else tells two actions apart, also between the meanings
// of a token that has two, and only at a place where an echoed prompt cannot stand:
// at the beginning of the message, or where one of the wrappers ends that gateways
// put before a provider's own words.
//
// To find what a provider's code means, open the file that bears the provider's
// name; codes that mean the same everywhere are in shared.go, statuses in
// status.go, texts in phrase.go, overflow.go and route.go, wrappers in wrapper.go.
package classify
