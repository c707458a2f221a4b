//go:build linux

package cloud_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	dbtypes "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// rows are the state rows of a crawl that ended.
type rows struct {
	done, open int
	history    []string // URLs in the index
}

// rows reads the table of URLs.
func (c *cloud) rows(t *testing.T, id string) rows {
	t.Helper()
	var out rows
	pages := dynamodb.NewScanPaginator(dynamodb.NewFromConfig(c.cfg), &dynamodb.ScanInput{
		TableName: &c.Resources.URLsTable, ConsistentRead: aws.Bool(true), FilterExpression: aws.String("begins_with(k, :crawl)"),
		ExpressionAttributeValues: map[string]dbtypes.AttributeValue{":crawl": &dbtypes.AttributeValueMemberS{Value: id + "#"}},
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Items {
			if s, ok := item["s"].(*dbtypes.AttributeValueMemberS); !ok || s.Value != "d" {
				out.open++
				continue
			}
			out.done++
			if u, ok := item["u"].(*dbtypes.AttributeValueMemberS); ok {
				out.history = append(out.history, u.Value)
			}
		}
	}
	return out
}

// wantWhole checks that a completed crawl lost nothing and counted correctly:
// the pages that the ledger has as kept are in the corpus, each once, and the
// totals are the sums over the rows. Asked are the URLs requested from the web.
func (c *cloud) wantWhole(t *testing.T, id string, asked []string) {
	t.Helper()
	j, err := c.Jobs.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if j.State != job.Done || j.Reason != job.ReasonFrontierEmpty {
		t.Errorf("crawl is %s (%s), want done (%s)", j.State, j.Reason, job.ReasonFrontierEmpty)
	}
	totals, err := c.Store.Ledger().Totals(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	rows := c.rows(t, id)
	urls := slices.Concat(asked, rows.history)
	slices.Sort(urls)
	urls = slices.Compact(urls)
	entries, err := c.Store.Ledger().Entries(t.Context(), id, urls)
	if err != nil {
		t.Fatal(err)
	}
	verdicts, fetched, relevant, known := map[ledger.Verdict]int64{}, int64(0), int64(0), 0
	var kept []string
	for i, e := range entries {
		if e == nil {
			t.Errorf("%s was asked for and has no end", urls[i])
			continue
		}
		known++
		verdicts[e.Verdict]++
		if e.Fetched {
			fetched++
		}
		if e.Relevant {
			relevant++
		} else if slices.Contains(rows.history, urls[i]) {
			t.Errorf("%s is in the history, and not relevant", urls[i])
		}
		if e.Verdict == ledger.Kept {
			kept = append(kept, urls[i])
		}
	}
	// Skipped URLs were not requested.
	if n := int64(rows.done - known); n > 0 {
		verdicts[ledger.Skipped] += n
	}
	got := maps.Clone(totals.Verdicts)
	maps.DeleteFunc(got, func(_ ledger.Verdict, n int64) bool { return n == 0 })
	if diff := cmp.Diff(verdicts, got); diff != "" {
		t.Errorf("verdicts (-rows +totals):\n%s", diff)
	}
	if totals.Fetched != fetched || totals.Relevant != relevant {
		t.Errorf("totals: %d fetched, %d relevant; rows: %d and %d", totals.Fetched, totals.Relevant, fetched, relevant)
	}
	const indexed = 256 // of a longer history the index has a part, see dynamoledger
	if n := int64(len(rows.history)); n < min(relevant, indexed/2) {
		t.Errorf("of %d relevant pages %d are in the history", relevant, n)
	}
	docs := slices.Sorted(maps.Keys(c.documents(t, id)))
	// The ledger has what a second look has refused as kept.
	refused := slices.DeleteFunc(slices.Clone(kept), func(url string) bool { return slices.Contains(docs, url) })
	if len(docs)+len(refused) != len(kept) || int64(len(refused)) != j.Look.Refused {
		t.Errorf("documents, %d of them refused (-kept +corpus):\n%s", j.Look.Refused, cmp.Diff(kept, docs))
	}
	t.Logf("%s: %d rows done, %d open, %d documents, %v", id, rows.done, rows.open, len(docs), totals.Verdicts)
}
