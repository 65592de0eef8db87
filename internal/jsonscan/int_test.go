package jsonscan

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInt(t *testing.T) {
	million := strings.Repeat("0", 1_000_000)
	rows := []struct {
		name, raw string
		want      int64
		ok        bool
	}{
		{"zero", "0", 0, true},
		{"negative zero", "-0", 0, true},
		{"zero with everything", "-0.000e-99999", 0, true},
		{"zero with a huge exponent", "0e99999999999999999999", 0, true},
		{"plain", "429", 429, true},
		{"negative", "-17", -17, true},
		{"trailing zeros", "1000", 1000, true},
		{"integral fraction", "4.0", 4, true},
		{"inner zeros", "1002.00300e3", 1002003, true},
		{"exponent", "4e2", 400, true},
		{"capital exponent with a sign", "4E+2", 400, true},
		{"negative exponent", "400e-2", 4, true},
		{"fraction made whole", "1.5e1", 15, true},
		{"small fraction made whole", "0.00012e5", 12, true},
		{"eighteen digits", "999999999999999999", 999999999999999999, true},
		{"largest", "9223372036854775807", 9223372036854775807, true},
		{"largest in parts", "9223372036.854775807e9", 9223372036854775807, true},
		{"smallest", "-9223372036854775808", -9223372036854775808, true},
		{"1e18", "1e18", 1e18, true},
		{"a million zeros taken back", "1" + million + "e-1000000", 1, true},
		{"a million decimals made whole", "0." + million + "7e1000001", 7, true},
		{"a million zero decimals", "2." + million, 2, true},

		{"above the largest", "9223372036854775808", 0, false},
		{"below the smallest", "-9223372036854775809", 0, false},
		{"beyond uint64", "99999999999999999999", 0, false},
		{"1e19", "1e19", 0, false},
		{"a million digits", "1" + million, 0, false},
		{"a huge exponent", "1e99999999999999999999", 0, false},
		{"a tiny exponent", "1e-99999999999999999999", 0, false},
		{"an exponent of a million digits", "1e1" + million, 0, false},
		{"fraction", "4.5", 0, false},
		{"fraction by exponent", "4e-1", 0, false},
		{"twenty digits and a fraction", "12345678901234567890.5", 0, false},
		{"nothing", "", 0, false},
		{"a word", "x", 0, false},
		{"a word behind digits", "12x", 0, false},
		{"zero twice", "00", 0, false},
		{"leading zero", "007", 0, false},
		{"quoted", `"4"`, 0, false},
		{"space", "4 ", 0, false},
		{"plus", "+4", 0, false},
		{"exponent without digits", "4e", 0, false},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			n, ok := Int([]byte(row.raw))
			require.Equal(t, row.ok, ok)
			if ok {
				require.Equal(t, row.want, n)
			}
		})
	}
}

// FuzzInt holds Int against exact rational arithmetic.
func FuzzInt(f *testing.F) {
	for _, s := range []string{"0", "-0.0", "4e2", "1.5e1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e19", "10e-1", "0.1e1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		n, ok := Int([]byte(raw))
		if numberEnd([]byte(raw), 0) != len(raw) {
			require.False(t, ok)
			return
		}
		if i := strings.IndexAny(raw, "eE"); i >= 0 && len(raw)-i > 5 {
			return
		}
		r, valid := new(big.Rat).SetString(raw)
		require.True(t, valid)
		require.Equal(t, r.IsInt() && r.Num().IsInt64(), ok)
		if ok {
			require.Equal(t, r.Num().Int64(), n)
		}
	})
}
