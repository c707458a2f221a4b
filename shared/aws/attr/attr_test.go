package attr

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
)

// read is an attribute as all readers return it.
type read struct {
	Text   string
	Blob   []byte
	Number int64
}

func TestReaders(t *testing.T) {
	number := func(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }
	tests := map[string]struct {
		attribute types.AttributeValue
		want      read
	}{
		"text":               {Text("a"), read{Text: "a"}},
		"no text":            {Text(""), read{}},
		"blob":               {Blob([]byte{0}), read{Blob: []byte{0}}},
		"number":             {Number(-7), read{Number: -7}},
		"largest number":     {Number(1<<63 - 1), read{Number: 1<<63 - 1}},
		"text of digits":     {Text("7"), read{Text: "7"}},
		"fraction":           {number("1.5"), read{}},
		"beyond 64 bits":     {number("9223372036854775808"), read{}},
		"another type":       {&types.AttributeValueMemberBOOL{Value: true}, read{}},
		"missing":            {map[string]types.AttributeValue{}["x"], read{}},
		"missing in no item": {map[string]types.AttributeValue(nil)["x"], read{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := read{TextOf(tt.attribute), BlobOf(tt.attribute), NumberOf(tt.attribute)}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("read (-want +got):\n%s", diff)
			}
		})
	}
}
