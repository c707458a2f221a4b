package operator

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	alarmtypes "github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"
	logtypes "github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs/types"
	"golang.org/x/sync/errgroup"

	"sluice/shared/aws/awsfault"
	"sluice/shared/console"
	"sluice/shared/fault"
)

// functions are those of template.yaml, by their logs.
var functions = [...]string{"seed", "crawl", "clean", "structure", "keeper"}

// failed selects the errors of a function, and those of Lambda about it.
const failed = `{ ($.level = "ERROR") || ($.level = "FATAL") || ($.record.status = "error") || ($.record.status = "failure") || ($.record.status = "timeout") }`

const (
	logPages = 20  // that are read of a log at most: one that is larger hides later errors
	logLine  = 400 // characters of an error
)

// logSpans are how far to look back in a log, until there is an error.
var logSpans = [...]time.Duration{time.Hour, 24 * time.Hour}

// health reads alarms and logs. What it may not read, or an emulator lacks, is
// noted: the rest of a status is worth having.
func (o *Operator) health(ctx context.Context) (*console.Health, error) {
	h := &console.Health{Alarms: []console.Alarm{}, Errors: []console.FunctionError{}}
	last := make([]*console.FunctionError, len(functions))
	problems := make([]error, 1+len(functions))
	var g errgroup.Group
	g.Go(func() error {
		problems[0] = o.alarms(ctx, h)
		return nil
	})
	for i, name := range functions {
		g.Go(func() error {
			last[i], problems[i+1] = o.lastError(ctx, name)
			return nil
		})
	}
	_ = g.Wait() // they return no errors
	for _, e := range last {
		if e != nil {
			h.Errors = append(h.Errors, *e)
		}
	}
	for _, err := range problems {
		if err != nil {
			h.Unread = append(h.Unread, err.Error())
		}
	}
	return h, ctx.Err()
}

// alarms adds those of the stack that ring.
func (o *Operator) alarms(ctx context.Context, h *console.Health) error {
	prefix := o.parts.Resources.Stack + "-"
	pages := cloudwatch.NewDescribeAlarmsPaginator(o.watch, &cloudwatch.DescribeAlarmsInput{
		AlarmNamePrefix: &prefix, StateValue: alarmtypes.StateValueAlarm,
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return awsfault.Wrap("read alarms", err)
		}
		for i := range page.MetricAlarms {
			a := &page.MetricAlarms[i]
			// CloudFormation names it STACK-ALARM-SUFFIX; another stack may be STACK-MORE.
			name, _, _ := strings.Cut(strings.TrimPrefix(aws.ToString(a.AlarmName), prefix), "-")
			if strings.HasSuffix(name, "Alarm") {
				h.Alarms = append(h.Alarms, console.Alarm{Name: name, Why: aws.ToString(a.AlarmDescription), Since: aws.ToTime(a.StateUpdatedTimestamp)})
			}
		}
	}
	return nil
}

// lastError returns the last error in the log of a function, nil if there is
// none.
func (o *Operator) lastError(ctx context.Context, function string) (*console.FunctionError, error) {
	group, filter := "/sluice/"+o.parts.Resources.Stack+"/"+function, failed
	for _, span := range logSpans {
		var last *console.FunctionError
		in := &cloudwatchlogs.FilterLogEventsInput{LogGroupName: &group, FilterPattern: &filter, StartTime: aws.Int64(o.now().Add(-span).UnixMilli())}
		pages := cloudwatchlogs.NewFilterLogEventsPaginator(o.logs, in)
		for n := 0; n < logPages && pages.HasMorePages(); n++ {
			page, err := pages.NextPage(ctx)
			if _, none := errors.AsType[*logtypes.ResourceNotFoundException](err); none {
				return nil, nil // it has never run
			}
			if err != nil {
				return nil, awsfault.Wrap("read log "+group, err)
			}
			for _, e := range page.Events { // of several streams, by time
				if message := logged(aws.ToString(e.Message)); message != "" {
					last = &console.FunctionError{Function: function, At: time.UnixMilli(aws.ToInt64(e.Timestamp)).UTC(), Message: message}
				}
			}
		}
		if last != nil {
			return last, nil
		}
	}
	return nil, nil
}

// logged returns what a line of a log says if it is of an error, else "".
func logged(line string) string {
	var e struct {
		Level, Msg, Message      string
		Error, Err, Cause, Panic string // as the functions name a cause
		Type                     string
		Record                   struct{ Status, ErrorType string } // of Lambda itself
	}
	if json.Unmarshal([]byte(line), &e) != nil {
		return ""
	}
	var parts []string
	if e.Level == "ERROR" || e.Level == "FATAL" {
		parts = []string{cmp.Or(e.Msg, e.Message, e.Level), e.Error, e.Err, e.Cause, e.Panic}
	} else if s := e.Record.Status; s == "error" || s == "failure" || s == "timeout" {
		parts = []string{e.Type, s, e.Record.ErrorType}
	}
	said := slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	return fault.Clip(strings.Join(said, ": "), logLine)
}
