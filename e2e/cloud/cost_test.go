//go:build linux

package cloud_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	dbtypes "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/e2e/lambdahost"
	"sluice/shared/aws/assembly"
	"sluice/shared/console/cost"
	"sluice/shared/rank"
	"sluice/shared/state/job"
	"sluice/shared/state/limits"
)

// costPages is the budget of the crawls that are counted.
const costPages = 2500

// costTopic finds nearly every article of the news relevant, at the default
// thresholds: the crawl follows more than half of the web's links.
const costTopic = `name: news
words: [中国, 记者, 新闻, 经济, 社会, 发展, 市场, 公司, 国家, 工作, 比赛, 游戏, 电影, 学生, 视频, 时间, 北京, 问题]
thresholds: {description: 0, priority: 0.08}
weights: {lambda: 0.06}
`

// coreGB is the memory with which Lambda gives a function a whole core. With less it gives
// as much less of the core, so that a second of the processor's time costs as much with any memory.
const coreGB = 1769.0 / 1024

// platformLog is the approximate size of Lambda's own log of an invocation, in
// bytes: its start and its report, as JSON.
const platformLog = 700

// counted is a crawl and its usage.
type counted struct {
	pages, hosts int
	links        float64 // of a page
	relevant     float64 // share of the pages
	enqueued     int64

	used    cost.Usage         // all but the look each minute
	minute  cost.Usage         // a look
	crawl   lambdahost.Account // deliveries to the crawl function
	usage   map[string]lambdahost.Usage
	elapsed time.Duration
}

// A million pages cost at most the limit, for all services and with a month of
// storage. On a thousand hosts this crawl fetches three pages of each: costs
// per host, and short visits, weigh more than in a long crawl. Strategies that follow weak
// links store and look up more of them.
func TestCost(t *testing.T) {
	if os.Getenv("SLUICE_COST") == "" {
		t.Skip("measures for half an hour: set SLUICE_COST=1")
	}
	for _, tt := range []struct {
		name     string
		spread   int
		strategy string
		most     float64 // dollars
	}{
		{"few hosts", 0, rank.NameSemantic, 4},
		{"1000 hosts", 1000, rank.NameSemantic, 6},
		{"few hosts, best-first", 0, rank.NameBestFirst, 12},
		{"few hosts, hybrid", 0, rank.NameHybrid, 6},
		{"1000 hosts, hybrid", 1000, rank.NameHybrid, 9},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := countCrawl(t, tt.spread, tt.strategy)
			prices := referencePrices(t)
			t.Logf("%d pages of %d hosts in %v, %.1f links on a page, %.0f%% relevant, %.2f links enqueued per page",
				c.pages, c.hosts, c.elapsed.Round(time.Second), c.links, 100*c.relevant, float64(c.enqueued)/float64(c.pages))
			t.Logf("crawl: %+v", c.crawl)
			for name, u := range c.usage {
				t.Logf("%s: %+v", name, u)
			}
			t.Logf("\n%s", c.table(prices))
			c.compare(t, prices)
			if c.pages < 2000 {
				t.Errorf("%d pages are too few to count by", c.pages)
			}
			if total := prices.Of(c.used).PerMillion(c.pages).Total; total > tt.most {
				t.Errorf("a million pages cost $%.2f, $%.2f at most", total, tt.most)
			}
		})
	}
}

// compare logs what the same crawl costs with a second between two pages of a
// host, with the check of each minute, and in the naive design.
func (c *counted) compare(t *testing.T, prices *cost.Prices) {
	t.Helper()
	rates, err := cost.CurrentRates()
	if err != nil {
		t.Fatal(err)
	}
	naive, err := rates.Naive(cost.Plan{Pages: c.pages, Hosts: c.hosts, Links: c.links, Relevant: c.relevant}, prices)
	if err != nil {
		t.Fatal(err)
	}
	pages, crawl := float64(c.pages), c.usage["crawl"]
	side := float64(c.crawl.Deliveries) / float64(c.crawl.Invocations)
	busy := crawl.Billed.Seconds() / pages // of an invocation, which has several tasks under way
	slow := maps.Clone(c.used)
	slow[cost.LambdaDuration] += pages * crawl.GBSeconds / crawl.Billed.Seconds() / side
	minutes := pages / float64(c.hosts) * (1 + busy*side) / 60
	for item, n := range c.minute {
		slow[item] += n * minutes
	}
	slow[cost.SQSRequests] += minutes * idlePolls
	byClock := maps.Clone(c.used)
	byClock[cost.LambdaDuration] = 0
	for _, u := range c.usage {
		byClock[cost.LambdaDuration] += u.GBSeconds
	}
	t.Logf("a million pages: $%.2f as counted, $%.2f with Lambda by the clock, $%.2f with provisioned capacity, $%.2f with a second between pages of a host (%.1f tasks side by side, %.2f minutes of looks and polls), $%.2f in the naive design",
		prices.Of(c.used).PerMillion(c.pages).Total, prices.Of(byClock).PerMillion(c.pages).Total, prices.Provisioned().Of(c.used).PerMillion(c.pages).Total, prices.Of(slow).PerMillion(c.pages).Total, side, minutes, naive.Bill.PerMillion(c.pages).Total)
}

// idlePolls are the requests of Lambda's pollers in a minute without messages:
// five pollers for each of five mappings, 20 seconds each.
const idlePolls = 5 * 5 * 3

func referencePrices(t *testing.T) *cost.Prices {
	t.Helper()
	list, err := cost.PublicPrices()
	if err != nil {
		t.Fatal(err)
	}
	prices, err := list.Region(cost.ReferenceRegion)
	if err != nil {
		t.Fatal(err)
	}
	return prices
}

// countCrawl crawls the news, spread over a number of hosts, by a strategy, and counts.
func countCrawl(t *testing.T, spread int, strategy string) *counted {
	t.Helper()
	web, proxy := newHostsWeb(t, spread)
	o := cloudOptions{
		proxy: proxy, contact: "https://sluice.example/bot", window: time.Second, look: time.Minute, concurrency: 2,
		lease: 3 * time.Minute, // as deployed
	}
	c := newCloud(t, o)
	c.env["SLUICE_METER"] = "1"
	delete(c.env, "SLUICE_AGAIN_S") // as deployed
	const topic = "topics/news.yaml"
	if err := c.Objects.Put(t.Context(), topic, []byte(costTopic+"strategy: "+strategy+"\n"), "application/yaml"); err != nil {
		t.Fatal(err)
	}
	m := &job.Message{Crawl: "cost", Topic: topic, Seeds: web.seeds(t), Limits: limits.Limits{MaxPages: costPages, MaxPagesPerHost: costPages}}
	body, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	c.send(t, string(body))
	begun := time.Now()
	pumps := c.run(t, o, c.ended(t, 20*time.Minute, m.Crawl))
	out := &counted{elapsed: time.Since(begun), used: cost.Usage{}, usage: map[string]lambdahost.Usage{}, crawl: pumps["crawl"].Account()}
	out.pages, out.hosts, out.links = web.served()
	totals, err := c.Store.Ledger().Totals(t.Context(), m.Crawl)
	if err != nil {
		t.Fatal(err)
	}
	out.relevant, out.enqueued = float64(totals.Relevant)/float64(max(totals.Fetched, 1)), totals.Enqueued
	for name, pump := range pumps {
		out.used.Add(c.audit(t, name))
		out.used.Add(polled(pump.Account()))
	}
	for name, fn := range c.fns {
		out.usage[name] = fn.Usage()
	}
	out.minute = c.audit(t, "keeper")
	for item, n := range out.minute {
		out.minute[item] = n / float64(out.usage["keeper"].Invocations)
	}
	out.used.Add(c.stored(t))
	return out
}

// audit reads the requests that a function logged, and adds what Lambda bills
// for it, by the time of the processor. By the clock most of it is waiting for the emulator, whose one
// thread answers in turn what DynamoDB answers at the same time; compare shows that, too.
func (c *cloud) audit(t *testing.T, name string) cost.Usage {
	t.Helper()
	f, err := os.Open(c.logs[name])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	u := c.fns[name].Usage()
	used := cost.Usage{
		cost.LambdaRequests: float64(u.Invocations), cost.LambdaDuration: u.Processor.Seconds() * coreGB,
		cost.LogsBytes: float64(u.Invocations) * platformLog,
	}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	told := 0
	for lines.Scan() {
		var line struct {
			Message string
			Usage   cost.Usage
		}
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Message == assembly.AuditMessage {
			used.Add(line.Usage)
			told++
			continue
		}
		used[cost.LogsBytes] += float64(len(lines.Bytes()) + 1)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if told != u.Invocations {
		t.Errorf("%s told of %d of its %d invocations", name, told, u.Invocations)
	}
	return used
}

// polled is the requests of Lambda's pollers to SQS.
func polled(a lambdahost.Account) cost.Usage {
	return cost.Usage{
		cost.OperationItem("sqs", "ReceiveMessage", cost.Requests):     float64(a.Receives),
		cost.OperationItem("sqs", "DeleteMessageBatch", cost.Requests): float64(a.Deletes),
		cost.SQSRequests: float64(a.Receives + a.Deletes),
	}
}

// stored is the stored data of a month, and the events that S3 sent about it.
func (c *cloud) stored(t *testing.T) cost.Usage {
	t.Helper()
	const gb = 1 << 30
	used := cost.Usage{}
	for _, prefix := range []string{"raw/", "corpus/", "rejects/"} {
		for o, err := range c.Objects.List(t.Context(), prefix) {
			if err != nil {
				t.Fatal(err)
			}
			used[cost.S3Storage] += float64(o.Size) / gb
			if prefix == "raw/" {
				used[cost.SQSRequests]++
				used[cost.OperationItem("sqs", "(event of S3)", cost.Requests)]++
			}
		}
	}
	r := c.Resources
	for _, table := range []string{r.URLsTable, r.BacklogTable, r.HostsTable, r.CrawlsTable} {
		size := c.tableSize(t, table) / gb
		used[cost.DynamoStorage] += size
		if table != r.BacklogTable { // see template.yaml
			used[cost.DynamoBackup] += size
		}
	}
	return used
}

// itemOverhead is what DynamoDB stores of an item besides its attributes.
const itemOverhead = 100

// tableSize returns the bytes of a table and its index.
func (c *cloud) tableSize(t *testing.T, table string) float64 {
	t.Helper()
	size := 0
	pages := dynamodb.NewScanPaginator(dynamodb.NewFromConfig(c.cfg), &dynamodb.ScanInput{TableName: &table})
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range page.Items {
			size += itemOverhead + itemSize(it)
			if it["hc"] != nil { // it is in the index as well
				size += itemOverhead
				for _, name := range []string{"k", "hc", "hk", "u", "r"} {
					size += len(name) + valueSize(it[name])
				}
			}
		}
	}
	return float64(size)
}

func itemSize(it map[string]dbtypes.AttributeValue) int {
	size := 0
	for name, v := range it {
		size += len(name) + valueSize(v)
	}
	return size
}

func valueSize(v dbtypes.AttributeValue) int {
	switch v := v.(type) {
	case *dbtypes.AttributeValueMemberS:
		return len(v.Value)
	case *dbtypes.AttributeValueMemberB:
		return len(v.Value)
	case *dbtypes.AttributeValueMemberN:
		return len(v.Value)/2 + 1
	case *dbtypes.AttributeValueMemberM:
		return itemSize(v.Value)
	}
	return 0
}

// table shows the requests of a page and the cost of a million.
func (c *counted) table(prices *cost.Prices) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	pages := float64(c.pages)
	dollars := func(item cost.Item, n float64) float64 {
		p := prices.Items[item]
		return n / p.Per * p.Price / pages * 1e6
	}
	fmt.Fprintln(w, "service\toperation\trequests/page\tunits/page\t$/million pages\t")
	shown := map[string]float64{}
	for _, o := range c.used.Operations() {
		units, amount := o.Requests, 0.0
		switch o.Service {
		case "dynamodb":
			units = o.ReadUnits + o.WriteUnits
			amount = dollars(cost.DynamoReadUnits, o.ReadUnits) + dollars(cost.DynamoWriteUnits, o.WriteUnits)
		case "sqs":
			amount = dollars(cost.SQSRequests, o.Requests)
		case "s3":
			class := cost.S3Get
			if strings.HasPrefix(o.Name, "Put") || strings.HasPrefix(o.Name, "List") {
				class = cost.S3Put
			}
			amount = dollars(class, o.Requests)
		}
		shown[o.Service] += amount
		fmt.Fprintf(w, "%s\t%s\t%.4f\t%.4f\t%.3f\t\n", o.Service, o.Name, o.Requests/pages, units/pages, amount)
	}
	bill := prices.Of(c.used).PerMillion(c.pages)
	for _, line := range bill.Lines {
		switch line.Item {
		case cost.DynamoReadUnits, cost.DynamoWriteUnits, cost.SQSRequests, cost.S3Put, cost.S3Get:
			continue // by operation above
		}
		fmt.Fprintf(w, "%s\t%s\t\t%.6f\t%.3f\t\n", line.Item.Service(), line.Item, line.Count/1e6, line.Amount)
	}
	for _, s := range bill.Services() {
		fmt.Fprintf(w, "%s\tall\t\t\t%.3f\t\n", s.Service, s.Amount)
	}
	fmt.Fprintf(w, "all\t\t\t\t%.3f\t\n", bill.Total)
	_ = w.Flush()
	return b.String()
}
