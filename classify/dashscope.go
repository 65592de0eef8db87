package classify

// dashscopeRules are DashScope's (Qwen). wire/openai-family.md §15.
var dashscopeRules = rules{
	codes: compile(table{
		"Arrearage":                    quota, // a 400
		"AllocationQuota.FreeTierOnly": quota,
		"CommodityNotPurchased":        quota,
		"PrepaidBillOverdue":           quota,
		"PostpaidBillOverdue":          quota,
		"Throttling":                   rateLimited,
		"Throttling.RateQuota":         rateLimited,
		"Throttling.BurstRate":         rateLimited,
		"Throttling.AllocationQuota":   rateLimited,
		"limit_requests":               rateLimited,
		"limit_burst_rate":             rateLimited,
		"DataInspectionFailed":         blocked,
		"InvalidApiKey":                authInvalid,
		"AccessDenied":                 forbidden,
		"AccessDenied.Unpurchased":     forbidden,
		"Model.AccessDenied":           forbidden,
		"ModelNotFound":                noModel,
		"ModelServingError":            serverFault,
		"ModelUnavailable":             overloaded,
		"InternalError":                serverFault,
		"InternalError.Timeout":        timedOut,
		"RequestTimeOut":               timedOut,
		"SystemError":                  serverFault,
	}),
	phrases: []phrase{
		{pattern: "range of input length should be", then: tooLong},
	},
}
