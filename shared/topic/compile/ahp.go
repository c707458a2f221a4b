package compile

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// maxRatio is the consistency ratio at which Saaty calls for new judgements
// (METHOD A11).
const maxRatio = 0.1

// randomIndex returns Saaty's mean consistency index of random reciprocal
// matrices of order n. His table ends at 15.
func randomIndex(n int) float64 {
	return [...]float64{2: 0, 0.58, 0.90, 1.12, 1.24, 1.32, 1.41, 1.45, 1.49, 1.51, 1.48, 1.56, 1.57, 1.59}[n]
}

// The orders of matrix that AHP takes; a single criterion leaves nothing to
// compare.
const (
	minOrder = 2
	maxOrder = 15
)

// InconsistentError says that pairwise judgements contradict one another, and
// names the worst one.
type InconsistentError struct {
	Ratio       float64 // consistency ratio, 0.1 or above
	Row, Column int     // of the judgement that contradicts the others most, from 0
	Given       float64 // it
	Implied     float64 // value that the other judgements imply
}

// Error says what to change.
func (e *InconsistentError) Error() string {
	return fmt.Sprintf("judgements contradict one another: consistency ratio %.3f, must be below %v; reconsider row %d, column %d: it says %.3g, the others imply %.3g",
		e.Ratio, maxRatio, e.Row+1, e.Column+1, e.Given, e.Implied)
}

// AHP weighs criteria by the analytic hierarchy process (METHOD A11). Element
// i, j of the matrix says how many times as important criterion i is as j. The
// matrix must be reciprocal to 5 %, so that 0.33 passes for 1/3, or have a
// lower triangle of zeros, which then follows from the upper one. The weights
// are its principal eigenvector, with sum 1; ratio is Saaty's consistency
// ratio, 0 if no judgement contradicts another. If the ratio is at least 0.1
// the error is an *InconsistentError, and weights and ratio are still returned.
func AHP(matrix [][]float64) (weights []float64, ratio float64, err error) {
	m, err := reciprocal(matrix)
	if err != nil {
		return nil, 0, fmt.Errorf("read comparison matrix: %w", err)
	}
	weights, lambda, err := principal(m)
	if err != nil {
		return nil, 0, fmt.Errorf("weigh comparison matrix: %w", err)
	}
	n := len(matrix)
	if n > minOrder { // two criteria cannot contradict each other
		ratio = max(0, (lambda-float64(n))/float64(n-1)/randomIndex(n))
	}
	if ratio >= maxRatio {
		return weights, ratio, worst(m, ratio)
	}
	return weights, ratio, nil
}

// reciprocal checks a comparison matrix and completes its lower triangle.
func reciprocal(matrix [][]float64) (*mat.Dense, error) {
	n := len(matrix)
	if n < minOrder || n > maxOrder {
		return nil, fmt.Errorf("it has %d rows: want %d to %d", n, minOrder, maxOrder)
	}
	for i, row := range matrix {
		if len(row) != n {
			return nil, fmt.Errorf("row %d has %d numbers: want as many as rows, %d", i+1, len(row), n)
		}
	}
	m := mat.NewDense(n, n, nil)
	var problems []error
	for i := range n {
		for j := i; j < n; j++ {
			if err := checkJudgement(matrix, i, j); err != nil {
				problems = append(problems, err)
				continue
			}
			// Of 3 and 0.33 the former was meant to the last digit.
			upper := matrix[i][j]
			if lower := matrix[j][i]; lower > 1 {
				upper = 1 / lower
			}
			m.Set(i, j, upper)
			m.Set(j, i, 1/upper)
		}
	}
	return m, errors.Join(problems...)
}

// maxJudgement is the most that a criterion may be preferred to another.
// Saaty's scale ends at 9; who means a thousand means to leave the other out.
const maxJudgement = 1000

// checkJudgement checks element i, j of the upper triangle against its mirror
// image, which may be 0: not given.
func checkJudgement(matrix [][]float64, i, j int) error {
	const tolerance = 0.05 // 0.13 passes for 1/8
	upper, lower := matrix[i][j], matrix[j][i]
	switch {
	case !(1.0/maxJudgement <= upper && upper <= maxJudgement):
		return fmt.Errorf("row %d, column %d is %v: it must be from 1/%d to %[4]d", i+1, j+1, upper, maxJudgement)
	case i == j && upper != 1:
		return fmt.Errorf("row %d, column %d is %v: a criterion is 1 times as important as itself", i+1, j+1, upper)
	case lower != 0 && !(math.Abs(upper*lower-1) <= tolerance):
		return fmt.Errorf("row %d, column %d is %v: it must be 1/%v as row %d, column %d says, or 0 to follow from it",
			j+1, i+1, lower, upper, i+1, j+1)
	}
	return nil
}

// principal returns the eigenvector of the largest eigenvalue, with sum 1, and
// that eigenvalue. The matrix is positive, so both are (Perron and Frobenius).
func principal(m *mat.Dense) (vector []float64, value float64, err error) {
	var eigen mat.Eigen
	if !eigen.Factorize(m, mat.EigenRight) {
		return nil, 0, errors.New("its eigenvalues do not converge")
	}
	values := eigen.Values(nil)
	best := 0
	for i := range values {
		if real(values[i]) > real(values[best]) {
			best = i
		}
	}
	var vectors mat.CDense
	eigen.VectorsTo(&vectors)
	vector = make([]float64, len(values))
	var sum float64
	for i := range vector {
		vector[i] = real(vectors.At(i, best))
		sum += vector[i]
	}
	for i := range vector {
		vector[i] /= sum
	}
	return vector, real(values[best]), nil
}

// worst returns the judgement that differs most, as a ratio, from the one
// implied by the paths over each third criterion: the geometric mean of
// m[i][k]·m[k][j].
func worst(m *mat.Dense, ratio float64) *InconsistentError {
	n, _ := m.Dims()
	found := &InconsistentError{Ratio: ratio}
	most := -1.0
	for i := range n {
		for j := i + 1; j < n; j++ {
			var sum float64
			for k := range n {
				if k != i && k != j {
					sum += math.Log(m.At(i, k) * m.At(k, j))
				}
			}
			implied := sum / float64(n-2)
			if off := math.Abs(math.Log(m.At(i, j)) - implied); off > most {
				most = off
				found.Row, found.Column, found.Given, found.Implied = i, j, m.At(i, j), math.Exp(implied)
			}
		}
	}
	return found
}
