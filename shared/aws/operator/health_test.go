package operator

import (
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	alarmtypes "github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"
	logtypes "github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs/types"
)

func TestLogged(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`{"level":"ERROR","msg":"scheduled run failed","error":"list crawls: refused","at":1}`:        "scheduled run failed: list crawls: refused",
		`{"level":"ERROR","message":"panicked","panic":"nil map"}`:                                    "panicked: nil map",
		`{"type":"platform.runtimeDone","record":{"status":"error","errorType":"Runtime.ExitError"}}`: "platform.runtimeDone: error: Runtime.ExitError",
		`{"type":"platform.report","record":{"status":"timeout"}}`:                                    "platform.report: timeout",
		`{"type":"platform.report","record":{"status":"success"}}`:                                    "",
		`{"level":"INFO","msg":"seeds read"}`:                                                         "",
		`fork/exec /var/task/bootstrap`:                                                               "",
		`{"level":"ERROR","msg":"` + strings.Repeat("x", 2*logLine) + `"}`:                            strings.Repeat("x", logLine) + "…",
	} {
		if got := logged(line); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestHealth(t *testing.T) {
	s := newStack(t)
	ctx := t.Context()
	for _, name := range []string{s.Name + "-KeeperErrorsAlarm-1AB", s.Name + "-2-KeeperErrorsAlarm-1AB", s.Name + "-CleanErrorsAlarm-2CD"} {
		if _, err := s.watch.PutMetricAlarm(ctx, &cloudwatch.PutMetricAlarmInput{
			AlarmName: &name, AlarmDescription: aws.String("failed"), Namespace: aws.String("AWS/Lambda"), MetricName: aws.String("Errors"),
			Statistic: alarmtypes.StatisticSum, Period: aws.Int32(300), EvaluationPeriods: aws.Int32(1), Threshold: aws.Float64(0),
			ComparisonOperator: alarmtypes.ComparisonOperatorGreaterThanThreshold,
		}); err != nil {
			t.Fatal(err)
		}
		state := alarmtypes.StateValueAlarm
		if strings.Contains(name, "Clean") {
			state = alarmtypes.StateValueOk
		}
		if _, err := s.watch.SetAlarmState(ctx, &cloudwatch.SetAlarmStateInput{AlarmName: &name, StateValue: state, StateReason: aws.String("test")}); err != nil {
			t.Fatal(err)
		}
	}
	group, stream := "/sluice/"+s.Name+"/keeper", "one"
	if _, err := s.logs.CreateLogGroup(ctx, &cloudwatchlogs.CreateLogGroupInput{LogGroupName: &group}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.logs.CreateLogStream(ctx, &cloudwatchlogs.CreateLogStreamInput{LogGroupName: &group, LogStreamName: &stream}); err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(-2 * time.Hour).Truncate(time.Millisecond)
	event := func(after time.Duration, line string) logtypes.InputLogEvent {
		return logtypes.InputLogEvent{Timestamp: aws.Int64(at.Add(after).UnixMilli()), Message: &line}
	}
	if _, err := s.logs.PutLogEvents(ctx, &cloudwatchlogs.PutLogEventsInput{LogGroupName: &group, LogStreamName: &stream, LogEvents: []logtypes.InputLogEvent{
		event(0, `{"level":"ERROR","msg":"first"}`), event(time.Second, `{"level":"ERROR","msg":"second"}`), event(2*time.Second, `{"level":"INFO","msg":"third"}`),
	}}); err != nil {
		t.Fatal(err)
	}
	all, err := s.Overview(ctx)
	if err != nil {
		t.Fatal(err)
	}
	h := all.Health
	if len(h.Alarms) != 1 || h.Alarms[0].Name != "KeeperErrorsAlarm" || h.Alarms[0].Why != "failed" || h.Alarms[0].Since.IsZero() {
		t.Errorf("alarms %+v", h.Alarms)
	}
	if len(h.Errors) != 1 || h.Errors[0].Function != "keeper" || h.Errors[0].Message != "second" || !h.Errors[0].At.Equal(at.Add(time.Second)) {
		t.Errorf("errors %+v", h.Errors)
	}
	if len(h.Unread) > 0 {
		t.Errorf("not known: %q", h.Unread)
	}
}
