package dialects

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/endwell-go/endwell"
)

// awsErrors are Bedrock's names of errors (wire/other-families.md §6.e).
var awsErrors = errorWords{
	endwell.AuthMissing:       "MissingAuthenticationTokenException",
	endwell.AuthInvalid:       "UnrecognizedClientException",
	endwell.PermissionDenied:  "AccessDeniedException",
	endwell.QuotaExhausted:    "ServiceQuotaExceededException",
	endwell.RateLimited:       "ThrottlingException",
	endwell.Overloaded:        "ServiceUnavailableException",
	endwell.ModelUnavailable:  "ResourceNotFoundException",
	endwell.ContextTooLong:    "ValidationException",
	endwell.ContentBlocked:    "ValidationException",
	endwell.RequestInvalid:    "ValidationException",
	endwell.Network:           "ModelStreamErrorException",
	endwell.Timeout:           "ModelTimeoutException",
	endwell.ServerError:       "InternalServerException",
	endwell.MalformedResponse: "ModelStreamErrorException",
	endwell.Unclassified:      "InternalServerException",
	cannotServe:               "InternalServerException",
}

// awsExceptions are the errors that a stream of both kinds has as exceptions of its
// own, whose names begin with a small letter there (wire/other-families.md §6.c). An
// SDK reports all others only as messages of type error.
var awsExceptions = map[string]string{
	"ThrottlingException":         "throttlingException",
	"ModelStreamErrorException":   "modelStreamErrorException",
	"InternalServerException":     "internalServerException",
	"ServiceUnavailableException": "serviceUnavailableException",
	"ValidationException":         "validationException",
}

// awsErrorBody has a code too, for what the names do not tell apart.
func awsErrorBody(f *wireError) any {
	return members{"__type", f.of(awsErrors), "message", f.text, "code", f.code()}
}

// awsErrorMessage is the message of an event stream that reports the error.
func awsErrorMessage(f *wireError) []byte {
	name := f.of(awsErrors)
	exception, ok := awsExceptions[name]
	if !ok {
		return appendAWS(nil, ":message-type", "error", ":error-code", name, ":error-message", f.text)
	}
	payload := encode(members{"message", f.text, "code", f.code()})
	return appendAWS(payload, ":message-type", "exception", ":exception-type", exception,
		":content-type", jsonType)
}

// appendAWS writes a message of an event stream: name, value, name, value, all of
// them texts, and the payload.
func appendAWS(payload []byte, headers ...string) []byte {
	var h []byte
	for i := 0; i+1 < len(headers); i += 2 {
		name, value := headers[i], headers[i+1]
		h = append(append(h, byte(len(name))), name...)
		h = append(h, awsString)
		h = append(binary.BigEndian.AppendUint16(h, uint16(len(value))), value...)
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(awsMinLen+len(h)+len(payload)))
	b = binary.BigEndian.AppendUint32(b, uint32(len(h)))
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	b = append(append(b, h...), payload...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}
