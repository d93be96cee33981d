package cli

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cairn/internal/team/db/quota"
)

// A quotaNumber is a limit as people write it: 0 or none, 250, 20M, 1.5GB.
type quotaNumber int64

var errQuota = errors.New("must be none or a number, as 500, 20M or 1.5GB")

func (n *quotaNumber) Set(text string) error {
	digits := strings.ToUpper(strings.TrimSpace(text))
	if digits == "NONE" {
		*n = 0
		return nil
	}
	digits = strings.TrimSuffix(digits, "B")
	factor := 1.0
	if at := strings.IndexAny(digits, "KMGT"); at > 0 && at == len(digits)-1 {
		factor = math.Pow(1000, float64(1+strings.IndexByte("KMGT", digits[at])))
		digits = digits[:at]
	}
	value, err := strconv.ParseFloat(digits, 64)
	if value *= factor; err != nil || !(value >= 0 && value <= 1e15) || value != math.Trunc(value) || strings.ContainsAny(digits, "XPE_") {
		return errQuota
	}
	*n = quotaNumber(value)
	return nil
}

func (n *quotaNumber) String() string {
	if *n == 0 {
		return "none"
	}
	return strconv.FormatInt(int64(*n), 10)
}

func (n *quotaNumber) Type() string { return "number" }

// quotaFlags are a flag for each kind of limit.
type quotaFlags struct {
	set    *pflag.FlagSet
	prefix string
	values [len(quota.Kinds)]quotaNumber
}

var quotaHelp = map[quota.Kind]string{
	quota.Rows: "rows that a team may store", quota.Bytes: "bytes of texts and JSON that a team may store, as 20GB",
	quota.Messages: "messages to channels that are sent for a team in a day", quota.Channels: "alert channels of a team", quota.Invitations: "open invitations of a team",
}

// defaults adds the flags of cairn serve.
func (q *quotaFlags) defaults(cmd *cobra.Command) {
	q.add(cmd, "team-", "; none for no limit")
	for i, kind := range quota.Kinds {
		q.values[i] = quotaNumber(quota.Defaults[kind])
		cmd.Flags().Lookup("team-" + string(kind)).DefValue = q.values[i].String()
	}
}

func (q *quotaFlags) add(cmd *cobra.Command, prefix, more string) {
	q.set, q.prefix = cmd.Flags(), prefix
	for i, kind := range quota.Kinds {
		q.set.Var(&q.values[i], prefix+string(kind), quotaHelp[kind]+more)
	}
}

// limits are all values.
func (q *quotaFlags) limits() quota.Limits {
	out := quota.Limits{}
	for i, kind := range quota.Kinds {
		out[kind] = int64(q.values[i])
	}
	return out
}

// given are those that stand on the command line.
func (q *quotaFlags) given() quota.Limits {
	out := quota.Limits{}
	for i, kind := range quota.Kinds {
		if q.set.Changed(q.prefix + string(kind)) {
			out[kind] = int64(q.values[i])
		}
	}
	return out
}

func noQuotas() quota.Limits {
	out := quota.Limits{}
	for _, kind := range quota.Kinds {
		out[kind] = 0
	}
	return out
}
