package classify

import "github.com/endwell-go/endwell/internal/token"

// RegisterSecret makes secret, such as a key or an endpoint, one whose fragments no
// token or request id of a classified error may hold, for every call of this process
// until release has been called. Secrets of one call belong in Request.Secret.
// Registering the same secret twice needs two releases; a release counts once. A
// secret below 4 characters is ignored. It is safe for concurrent use.
func RegisterSecret(secret string) (release func()) { return token.Register(secret) }
