package export

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Split says which share of the documents, 0 to 1 each, goes where; the shares
// add up to 1. The zero value is all for training.
type Split struct {
	Train      float64 `json:"train"`
	Validation float64 `json:"validation"`
	Test       float64 `json:"test"`
}

// Names of the splits, in the order in which they are written.
const (
	trainSplit      = "train"
	validationSplit = "validation"
	testSplit       = "test"
)

var splitNames = [...]string{trainSplit, validationSplit, testSplit}

// ParseSplit reads "0.98,0.01,0.01".
func ParseSplit(s string) (Split, error) {
	parts := strings.Split(s, ",")
	if len(parts) != len(splitNames) {
		return Split{}, fmt.Errorf("%q: want TRAIN,VALIDATION,TEST, as in 0.98,0.01,0.01", s)
	}
	var shares [len(splitNames)]float64
	sum := 0.0
	for i, p := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
		if err != nil || !(v >= 0 && v <= 1) {
			return Split{}, fmt.Errorf("%q: %q is not a share from 0 to 1", s, p)
		}
		shares[i] = v
		sum += v
	}
	if math.Abs(sum-1) > 1e-9 {
		return Split{}, fmt.Errorf("%q: the shares add up to %.9g, not 1", s, sum)
	}
	if shares[0] == 0 {
		return Split{}, errors.New("nothing is left for training")
	}
	return Split{Train: shares[0], Validation: shares[1], Test: shares[2]}, nil
}

// String is the inverse of ParseSplit; "none" for the zero value.
func (s Split) String() string {
	if s == (Split{}) {
		return "none"
	}
	return fmt.Sprintf("%g,%g,%g", s.Train, s.Validation, s.Test)
}

// of returns the split of the documents around one: by its id, so that a
// document's split does not change when others are added. A document is in the
// split of the one that it repeats.
func (s Split) of(id [16]byte) string {
	if s == (Split{}) {
		return trainSplit
	}
	at := float64(binary.BigEndian.Uint64(id[:])>>11) / (1 << 53)
	switch {
	case at < s.Train:
		return trainSplit
	case at < s.Train+s.Validation:
		return validationSplit
	case s.Test > 0:
		return testSplit
	case s.Validation > 0:
		return validationSplit // the sum of shares may fall short of 1 by rounding
	}
	return trainSplit
}
