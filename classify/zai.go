package classify

// zaiRules are Zhipu's (GLM, Z.AI): business codes in error.code, behind a 429 for
// almost everything. wire/openai-family.md §17;
// the rows that are not there are of docs.z.ai/api-reference/api-code.
var zaiRules = rules{
	codes: compile(table{
		"1000":      authInvalid,
		"1001":      authMissing,
		"1002":      authInvalid,
		"1003":      authInvalid, // the token has expired
		"1004":      authInvalid,
		"1110":      forbidden, // the account is inactive
		"1111":      forbidden,
		"1112":      forbidden, // the account is locked
		"1113":      quota,     // the balance is used up
		"1120":      serverFault,
		"1121":      forbidden, // irregular activity
		"1210":      badRequest,
		"1211":      noModel,
		"1212":      badRequest,
		"1213":      badRequest,
		"1214":      badRequest,
		"1220":      forbidden,
		"1221":      noModel, // taken offline
		"1222":      noModel,
		"1230":      serverFault,
		"1234":      serverFault,
		"1261":      tooLong,
		"1300":      forbidden,
		"1301":      blocked,
		"1302":      rateLimited, // concurrency
		"1303":      rateLimited,
		"1304":      quota, // the daily limit
		"1305":      overloaded,
		"1308":      quota, // the plan's window
		"1309":      quota, // the plan has expired
		"1310":      quota,
		"1311":      noModel, // not in this plan
		"1312":      overloaded,
		"1313":      forbidden,
		"sensitive": blocked,
	}),
	statuses: map[int]verdict{
		434: forbidden,
		435: tooLong, // a file above the size limit
	},
}
