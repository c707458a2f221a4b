// Package cost turns counted requests into money: it has a dated file of public
// prices, the bill of a usage, and the forecast of a crawl.
//
// It knows no SDK: the counts come from the adapters' meter and from the edges.
package cost

import (
	"maps"
	"slices"
	"strings"
)

// Item names a count: "service.unit" for a priced item,
// "service.Operation.count" for the table of operations, which is free. Names
// are stable: stores use them as keys.
type Item string

// The items that have a price.
const (
	DynamoWriteUnits  Item = "dynamodb.write_units"      // write request units, of tables and indexes
	DynamoReadUnits   Item = "dynamodb.read_units"       // read request units, of tables and indexes
	DynamoWriteHours  Item = "dynamodb.write_unit_hours" // hours of a provisioned write unit a second
	DynamoReadHours   Item = "dynamodb.read_unit_hours"  // hours of a provisioned read unit a second
	DynamoStorage     Item = "dynamodb.gb_months"        // stored data
	DynamoBackup      Item = "dynamodb.pitr_gb_months"   // point-in-time recovery of it
	SQSRequests       Item = "sqs.requests"              // a call, once for each 64 KB of payload
	SQSFairRequests   Item = "sqs.fair_requests"         // requests that also pay for message groups on a standard queue
	S3Put             Item = "s3.put"                    // PUT, COPY, POST, LIST
	S3Get             Item = "s3.get"                    // GET, HEAD and the rest
	S3Delete          Item = "s3.delete"                 // DELETE
	S3BytesIn         Item = "s3.bytes_in"               // bodies sent
	S3BytesOut        Item = "s3.bytes_out"              // bodies read, in the region of the bucket
	S3Storage         Item = "s3.gb_months"              // stored data
	LambdaRequests    Item = "lambda.requests"           // invocations
	LambdaDuration    Item = "lambda.gb_seconds_arm64"   // configured memory × billed time
	LogsBytes         Item = "logs.bytes"                // ingested
	EventsInvocations Item = "events.invocations"        // of scheduled rules
	AlarmMonths       Item = "cloudwatch.alarm_months"
	DashboardMonths   Item = "cloudwatch.dashboard_months"
)

// priced returns the items that every list of prices has, and no others.
func priced() []Item {
	return []Item{
		DynamoWriteUnits, DynamoReadUnits, DynamoWriteHours, DynamoReadHours, DynamoStorage, DynamoBackup,
		SQSRequests, SQSFairRequests,
		S3Put, S3Get, S3Delete, S3BytesIn, S3BytesOut, S3Storage,
		LambdaRequests, LambdaDuration, LogsBytes, EventsInvocations,
		AlarmMonths, DashboardMonths,
	}
}

// Count is the kind of a count of the table of operations.
type Count string

// The counts. Units are those of DynamoDB; Errors include Throttles.
const (
	Requests   Count = "requests"
	Errors     Count = "errors"
	Throttles  Count = "throttles"
	ReadUnits  Count = "read_units"
	WriteUnits Count = "write_units"
)

// OperationItem names a count of one operation, as in
// "dynamodb.UpdateItem.requests".
func OperationItem(service, operation string, count Count) Item {
	return Item(service + "." + operation + "." + string(count))
}

// Service returns the first part of the name.
func (i Item) Service() string {
	service, _, _ := strings.Cut(string(i), ".")
	return service
}

// operation takes the name of an OperationItem apart.
func (i Item) operation() (name string, count Count, ok bool) {
	parts := strings.Split(string(i), ".")
	if len(parts) != 3 {
		return "", "", false
	}
	return parts[1], Count(parts[2]), true
}

// Usage is how much of each item was used. The zero value is empty, but only a
// map that was made can be added to.
type Usage map[Item]float64

// Add adds another usage.
func (u Usage) Add(other Usage) {
	for item, n := range other {
		u[item] += n
	}
}

// addTimes adds n times another usage.
func (u Usage) addTimes(n float64, other Usage) {
	for item, each := range other {
		u[item] += n * each
	}
}

// Operation is a row of the table of operations.
type Operation struct {
	Service, Name               string
	Requests, Errors, Throttles float64 // attempts, as they are billed; Errors include Throttles
	ReadUnits, WriteUnits       float64 // of DynamoDB
}

// Operations returns the table of operations, by service and name.
func (u Usage) Operations() []Operation {
	var table []Operation
	for _, item := range slices.Sorted(maps.Keys(u)) {
		name, count, ok := item.operation()
		if !ok {
			continue
		}
		last := len(table) - 1
		if last < 0 || table[last].Service != item.Service() || table[last].Name != name {
			table = append(table, Operation{Service: item.Service(), Name: name})
			last++
		}
		table[last].set(count, u[item])
	}
	return table
}

func (o *Operation) set(count Count, n float64) {
	switch count {
	case Requests:
		o.Requests = n
	case Errors:
		o.Errors = n
	case Throttles:
		o.Throttles = n
	case ReadUnits:
		o.ReadUnits = n
	case WriteUnits:
		o.WriteUnits = n
	}
}
