package cost

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fixture"
)

// reference returns the public prices of the reference region.
func reference(t *testing.T) *Prices {
	t.Helper()
	prices, err := ReferencePrices()
	if err != nil {
		t.Fatal(err)
	}
	return prices
}

func TestPublicPrices(t *testing.T) {
	prices := reference(t)
	if prices.AsOf != "2026-11" || prices.Currency != "USD" || prices.Region != "us-east-1" {
		t.Errorf("prices are of %s in %s for %s", prices.AsOf, prices.Currency, prices.Region)
	}
	for _, test := range []struct {
		item Item
		n    float64
		want float64
	}{
		{DynamoWriteUnits, 1e6, 0.625},
		{DynamoReadUnits, 1e6, 0.125},
		{DynamoStorage, 1, 0.25},
		{DynamoBackup, 1, 0.20},
		{SQSRequests, 1e6, 0.40},
		{S3Put, 1000, 0.005},
		{S3Get, 1000, 0.0004},
		{S3Delete, 1e9, 0},
		{S3Storage, 1, 0.023},
		{LambdaRequests, 1e6, 0.20},
		{LambdaDuration, 1e10, 133334},
		{LogsBytes, 1 << 30, 0.50},
		{EventsInvocations, 1e9, 0},
		{AlarmMonths, 1, 0.10},
		{DashboardMonths, 1, 3},
	} {
		if got := prices.Of(Usage{test.item: test.n}).Total; math.Abs(got-test.want) > 1e-9*test.want {
			t.Errorf("%v of %s cost %v, want %v", test.n, test.item, got, test.want)
		}
	}
}

// A unit in use pays for 1/0.7 provisioned ones for a second.
func TestProvisioned(t *testing.T) {
	onDemand := reference(t)
	prices := onDemand.Provisioned()
	for _, test := range []struct {
		item Item
		n    float64
		want float64
	}{
		{DynamoWriteUnits, 3600 * 0.7, 0.00065},
		{DynamoReadUnits, 3600 * 0.7, 0.00013},
		{DynamoStorage, 1, 0.25},
		{S3Put, 1000, 0.005},
	} {
		if got := prices.Of(Usage{test.item: test.n}).Total; math.Abs(got-test.want) > 1e-9*test.want {
			t.Errorf("%v of %s cost %v, want %v", test.n, test.item, got, test.want)
		}
	}
	if diff := cmp.Diff(reference(t), onDemand); diff != "" {
		t.Errorf("the prices on demand changed (-want +got):\n%s", diff)
	}
}

func TestRegion(t *testing.T) {
	list, err := PublicPrices()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := list.Region("eu-moon-1"); err == nil || !strings.Contains(err.Error(), "us-east-1") {
		t.Errorf("Region = %v, want an error that names the regions there are", err)
	}
	if diff := cmp.Diff([]string{"us-east-1"}, list.Regions()); diff != "" {
		t.Errorf("Regions (-want +got):\n%s", diff)
	}
}

func TestReadPricesRefuses(t *testing.T) {
	const write = `"price": 0.625, "per": 1000000,`
	for _, test := range []struct {
		name, old, new string
		want           []string
	}{
		{"negative", write, `"price": -0.625, "per": 1000000,`, []string{`price "dynamodb.write_units": price must be a number from 0 to`, `, not -0.625`}},
		{"per nothing", write, `"price": 0.625, "per": 0,`, []string{`"dynamodb.write_units": per must be a number from 1`, `, not 0`}},
		{"no number", write, `"price": "0.625", "per": null,`, []string{`price must be a number`, `not "0.625"`, `per is null`}},
		{"too large", write, `"price": 1e999, "per": 1000000,`, []string{`price must be`, `not 1e999`}},
		{"missing", write, `"per": 1000000,`, []string{`price "dynamodb.write_units": key "price" is missing`}},
		{"twice", write, write + write, []string{`price is repeated`, `per is repeated`}},
		{"misspelt case", write, `"Price": 0.625, "per": 1000000,`, []string{`unknown key "Price"`, `key "price" is missing`}},
		{"unknown item", `"sqs.requests"`, `"sqs.request"`, []string{`unknown key "sqs.request"`, `key "sqs.requests" is missing`}},
		{"no source", `"source": "https://aws.amazon.com/dynamodb/pricing/",`, `"source": " ",`, []string{`"dynamodb.gb_months": source is blank`}},
		{"no date", `"2026-11"`, `"November"`, []string{`as_of is "November"`}},
		{"no month", `"2026-11"`, `"2026-13"`, []string{`as_of is "2026-13"`}},
		{"currency", `"USD"`, `"$"`, []string{`currency is "$"`}},
		{"prices are a list", `"prices": {`, `"prices": [], "x": {`, []string{`prices must be a JSON object, not []`, `unknown key "x"`}},
		{"region is null", `"us-east-1": {`, `"a": null, "us-east-1": {`, []string{`region "a" must be a JSON object, not null`}},
		{"syntax", `"as_of":`, `as_of:`, []string{"line 2, column 3"}},
		{"two values", "{", "{} {", []string{"line 1, column 4"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(string(publicPrices), test.old, test.new, 1)
			if text == string(publicPrices) {
				t.Fatalf("%q is not in the file", test.old)
			}
			_, err := ReadPrices([]byte(text))
			fixture.Says(t, err, test.want)
		})
	}
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "line 1, column 1"},
		{"no object", "[]", "must be a JSON object"},
		{"no regions", `{"as_of": "2026-11", "regions": {}}`, "no region"},
		{"nothing", `{}`, `key "regions" is missing`},
		{"huge", strings.Repeat(" ", maxFile+1), "at most"},
		{"deep", strings.Repeat("[", 20_000), "line 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ReadPrices([]byte(test.text))
			fixture.Says(t, err, []string{test.want})
		})
	}
}

func TestBill(t *testing.T) {
	bill := reference(t).Of(Usage{
		SQSRequests:                2e6, // 0.80
		SQSFairRequests:            1e6, // 0.10
		DynamoWriteUnits:           4e6, // 2.50
		DynamoReadUnits:            0.5e6,
		"sqs.SendMessage.requests": 1e6,
		"sqs.letters":              7,
	})
	if diff := cmp.Diff([]ServiceAmount{{"dynamodb", 2.5625}, {"sqs", 0.9}}, bill.Services(), near); diff != "" {
		t.Errorf("Services (-want +got):\n%s", diff)
	}
	want := []Line{
		{DynamoReadUnits, 0.5e6, 0.0625}, {DynamoWriteUnits, 4e6, 2.5},
		{SQSFairRequests, 1e6, 0.1}, {SQSRequests, 2e6, 0.8},
	}
	if diff := cmp.Diff(want, bill.Lines, near); diff != "" {
		t.Errorf("Lines (-want +got):\n%s", diff)
	}
	if math.Abs(bill.Total-3.4625) > 1e-12 {
		t.Errorf("Total = %v, want 3.4625", bill.Total)
	}
	if diff := cmp.Diff([]Item{"sqs.letters"}, bill.Unpriced); diff != "" {
		t.Errorf("Unpriced (-want +got):\n%s", diff)
	}

	million := bill.PerMillion(500_000)
	if math.Abs(million.Total-6.925) > 1e-12 || math.Abs(million.Lines[1].Amount-5) > 1e-12 || million.Lines[1].Count != 8e6 {
		t.Errorf("PerMillion(500000) = %+v, want the double", million)
	}
	if bill.Lines[1].Count != 4e6 {
		t.Error("PerMillion changed the bill itself")
	}
	if none := bill.PerMillion(0); none.Total != 0 || none.Lines != nil {
		t.Errorf("PerMillion(0) = %+v, want an empty bill", none)
	}
}

func TestOperations(t *testing.T) {
	got := Usage{
		OperationItem("sqs", "SendMessage", Requests):      3,
		OperationItem("dynamodb", "Query", ReadUnits):      1.5,
		OperationItem("dynamodb", "Query", Requests):       2,
		OperationItem("dynamodb", "PutItem", Requests):     5,
		OperationItem("dynamodb", "PutItem", WriteUnits):   8,
		OperationItem("dynamodb", "PutItem", Errors):       2,
		OperationItem("dynamodb", "PutItem", Throttles):    1,
		OperationItem("dynamodb", "PutItem", "afterwards"): 9,
		DynamoWriteUnits: 8,
	}.Operations()
	want := []Operation{
		{Service: "dynamodb", Name: "PutItem", Requests: 5, Errors: 2, Throttles: 1, WriteUnits: 8},
		{Service: "dynamodb", Name: "Query", Requests: 2, ReadUnits: 1.5},
		{Service: "sqs", Name: "SendMessage", Requests: 3},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Operations (-want +got):\n%s", diff)
	}
}

func TestUsageAdd(t *testing.T) {
	u := Usage{S3Put: 1}
	u.Add(Usage{S3Put: 2, S3Get: 3})
	u.Add(nil)
	if diff := cmp.Diff(Usage{S3Put: 3, S3Get: 3}, u); diff != "" {
		t.Errorf("Add (-want +got):\n%s", diff)
	}
}

func FuzzReadPrices(f *testing.F) {
	f.Add(publicPrices)
	f.Add([]byte(`{"as_of": "2026-11", "regions": {"": {"currency": "USD", "prices": {"s3.put": null}}}}`))
	f.Add([]byte(`{"as_of": 1, "as_of": "", "regions": [{}]}`))
	f.Add([]byte(`{"regions": {"a": {}}}{`))
	f.Add(bytes.Repeat([]byte(`{"a":`), 100))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := ReadPrices(text)
		if err != nil {
			return
		}
		usage := Usage{}
		for _, item := range priced() {
			usage[item] = 1e15
		}
		for _, region := range list.Regions() {
			prices, err := list.Region(region)
			if err != nil {
				t.Fatal(err)
			}
			bill := prices.Of(usage)
			if math.IsInf(bill.Total, 0) || math.IsNaN(bill.Total) || bill.Total < 0 || bill.Unpriced != nil {
				t.Errorf("bill is %v, unpriced %v", bill.Total, bill.Unpriced)
			}
		}
	})
}

// near compares amounts of money.
var near = cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) })
