package servecmd

import (
	"math"
	"strconv"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/team/db/quota"
	"cairn/internal/team/wire"
	"cairn/internal/term"
)

// quotaHelp says what is limited.
var quotaHelp = map[quota.Kind]string{
	quota.Rows: "`NUMBER` of rows that a team may store", quota.Bytes: "`NUMBER` of bytes of texts and JSON that a team may store, such as 20GB",
	quota.Messages: "`NUMBER` of messages to channels that are sent for a team in a day", quota.Channels: "`NUMBER` of alert channels of a team",
	quota.Invitations: "`NUMBER` of open invitations of a team",
}

// quotaFlags are a flag for each kind of limit.
func quotaFlags(prefix string, defaults quota.Limits) (flags []command.Flag) {
	for _, kind := range quota.Kinds {
		f := command.Flag{Name: prefix + string(kind), Default: "", Help: quotaHelp[kind]}
		if n, ok := defaults[kind]; ok {
			f.Default, f.Help = strconv.FormatInt(n, 10), f.Help+"; none for no limit"
		}
		flags = append(flags, f)
	}
	return flags
}

// quotas reads the limits that the flags have. One team's are those that stand on
// the command line: a variable would change every team that is looked at.
func quotas(c *command.Call, prefix string) (quota.Limits, error) {
	out := quota.Limits{}
	for _, kind := range quota.Kinds {
		flag := prefix + string(kind)
		if prefix == "" && !c.Given(flag) {
			continue
		}
		n, ok := quotaNumber(c.String(flag))
		if !ok {
			return nil, command.Usagef("--%s must be none or a number, as 500, 20M or 1.5GB, not %q", flag, term.Line(c.String(flag)))
		}
		out[kind] = n
	}
	return out, nil
}

// quotaNumber reads a limit as people write it: 0 or none, 250, 20M, 1.5GB.
func quotaNumber(text string) (n int64, ok bool) {
	digits := strings.ToUpper(strings.TrimSpace(text))
	if digits == "NONE" {
		return 0, true
	}
	digits = strings.TrimSuffix(digits, "B")
	factor := 1.0
	if at := strings.IndexAny(digits, "KMGT"); at > 0 && at == len(digits)-1 {
		factor = math.Pow(1000, float64(1+strings.IndexByte("KMGT", digits[at])))
		digits = digits[:at]
	}
	value, err := strconv.ParseFloat(digits, 64)
	value *= factor
	return int64(value), err == nil && value >= 0 && value <= 1e15 && value == math.Trunc(value) && !strings.ContainsAny(digits, "XPE_")
}

// Quotas answers with a team's limits and what is used of them.
func Quotas(list []wire.Quota) *answer.Answer {
	t := answer.NewTable("what", "used:count", "limit:count", "limit_of:name")
	for _, q := range list {
		limit, by := any("none"), "the server"
		if q.Limit > 0 {
			limit = q.Limit
		}
		if q.Own {
			by = "this team"
		}
		t.Add(quota.Kind(q.Kind).Title(), q.Used, limit, by)
	}
	return &answer.Answer{Data: list, View: t}
}

// noQuotas are limits that limit nothing.
func noQuotas() quota.Limits {
	out := quota.Limits{}
	for _, kind := range quota.Kinds {
		out[kind] = 0
	}
	return out
}
