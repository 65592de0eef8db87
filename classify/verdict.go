package classify

import "github.com/endwell-go/endwell"

// verdict is a category, and whether it is final: not transient although its
// category usually is. The zero verdict decides nothing.
type verdict uint8

const final verdict = 0x80

// The verdicts that the tables use.
const (
	undecided   verdict = 0
	authMissing         = verdict(endwell.AuthMissing)
	authInvalid         = verdict(endwell.AuthInvalid)
	forbidden           = verdict(endwell.PermissionDenied)
	quota               = verdict(endwell.QuotaExhausted)
	rateLimited         = verdict(endwell.RateLimited)
	overloaded          = verdict(endwell.Overloaded)
	noModel             = verdict(endwell.ModelUnavailable)
	tooLong             = verdict(endwell.ContextTooLong)
	blocked             = verdict(endwell.ContentBlocked)
	badRequest          = verdict(endwell.RequestInvalid)
	network             = verdict(endwell.Network)
	timedOut            = verdict(endwell.Timeout)
	serverFault         = verdict(endwell.ServerError)
	badOutput           = verdict(endwell.MalformedResponse)
	unclear             = verdict(endwell.Unclassified)

	// cannotServe is a server that will refuse the same request again: 501, or
	// more memory needed than there is.
	cannotServe = serverFault | final
	// unreadable is a response that a second try will not make readable.
	unreadable = badOutput | final
	// badSetup is a network that will not work before somebody changes it.
	badSetup = network | final
)

func (v verdict) category() endwell.Category { return endwell.Category(v &^ final) }

func (v verdict) transient() bool { return v&final == 0 && v.category().Transient() }

// table says what a provider's tokens mean. Keys are as the provider writes them;
// they are looked up without regard to case and punctuation, see normal.
type table map[string]verdict

// rules are what is special about one dialect. Each part may be nil.
type rules struct {
	codes    table
	statuses map[int]verdict
	phrases  []phrase
	// pattern reads tokens that carry their meaning in a part of the word.
	pattern func(token string) verdict
}
