package operator

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/sqsqueue"
	"sluice/shared/console"
	"sluice/shared/state/corpus"
	"sluice/shared/state/forget"
	"sluice/shared/state/job"
)

// recordLine is the line of a record of a page.
func recordLine(t *testing.T, url, segment string) string {
	t.Helper()
	item := corpus.Item{
		Site: "a.test", Layer: "detail", Template: "shop", URL: url, SourceURL: url,
		Fields: corpus.Fields{{Name: "name", Value: `"warc":{"file":"raw/c/`}}, WARC: corpus.Location{File: segment, Offset: 3, Length: 4},
	}
	line, err := item.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

func (s *testStack) noteRecords(t *testing.T, records job.Records) {
	t.Helper()
	_, err := s.parts.Jobs.Update(t.Context(), "c", func(j *job.Job) error {
		j.Records = records
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Records are copied once all of them are made, as the copy names its archive.
func TestRecords(t *testing.T) {
	s := newStack(t)
	s.Create(t, job.Message{Crawl: "c"})
	s.PutObject(t, secretRecords, recordLine(t, "http://a.test/1", "raw/c/1.warc.gz")+recordLine(t, "http://a.test/2", "raw/c/2.warc.gz"))
	s.PutObject(t, "records/c/a.test/list/00001.jsonl", "")
	made := job.HostRecords{Made: true, Counts: map[string]int{"a.test/detail": 2, "too_large": 1}}
	for name, records := range map[string]job.Records{
		"not asked for": nil, "not made": {"a.test": &made, "b.test": {}}, "left": {"a.test": &made, "b.test": {Made: true, Left: "too many"}},
	} {
		s.noteRecords(t, records)
		if st, err := s.Look(t.Context(), "c"); err != nil || st.Records != nil {
			t.Errorf("%s: error %v, the status has the records %v", name, err, st.Records)
		}
		if _, each, err := s.Records(t.Context(), "c"); err != nil || each != nil {
			t.Errorf("%s: error %v, there are records: %t", name, err, each != nil)
		}
	}
	s.noteRecords(t, job.Records{"a.test": &made})
	counts, each, err := s.Records(t.Context(), "c")
	if err != nil || each == nil || counts["too_large"] != 1 {
		t.Fatalf("whole records: error %v, there are records: %t", err, each != nil)
	}
	got := map[string]string{}
	if err := each(func(layer string, line []byte) error { got[layer] += string(line); return nil }); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a.test/detail": recordLine(t, "http://a.test/1", "warc/1.warc.gz") + recordLine(t, "http://a.test/2", "warc/2.warc.gz")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

// Messages about sites go back without the crawl that they are about.
func TestRedriveStructure(t *testing.T) {
	s := newStack(t)
	s.Create(t, job.Message{Crawl: "c"})
	if _, err := s.parts.Jobs.Update(t.Context(), "c", func(j *job.Job) error { return j.Finish(job.ReasonFrontierEmpty) }); err != nil {
		t.Fatal(err)
	}
	body := `{"v":1,"crawl":"c","host":"a.test","kept":7}`
	s.Bury(t, "StructureDeadQueue",
		sqsqueue.Letter{Body: body, Reason: "no S3"},
		sqsqueue.Letter{Body: strings.Replace(body, `"c"`, `"gone"`, 1), Reason: "no crawl"},
		sqsqueue.Letter{Body: `{"v":1,"crawl":"c"}`, Reason: "no host"},
	)
	out, err := s.Redrive(t.Context(), console.RedriveOptions{Queue: Structure})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]console.RedriveCount{{Queue: Structure, Back: 1, Stay: 2}}, out.Queues); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{body}, s.Messages(t, s.Outputs["StructureQueue"])); diff != "" {
		t.Errorf("sent back (-want +got):\n%s", diff)
	}
	j, err := s.parts.Jobs.Get(t.Context(), "c")
	if rule, _ := s.On(t); err != nil || j.State != job.Done || len(out.Resumed) > 0 || !rule {
		t.Errorf("the crawl is %s, resumed %v, the stack on: %t, error %v", j.State, out.Resumed, rule, err)
	}
}

// While records are being made they could be those of a page that is forgotten.
func TestForgetWhileRecordsAreMade(t *testing.T) {
	s := newSecrets(t)
	s.noteRecords(t, job.Records{"a.test": {}})
	if err := s.parts.Structure.Send(t.Context(), []job.SiteMessage{{Crawl: "c", Host: "a.test"}}); err != nil {
		t.Fatal(err)
	}
	targets, err := forget.ParseAll([]string{"http://a.test/gone"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Forget(t.Context(), nil, targets, forget.Options{}); !errors.Is(err, ErrRequest) || !strings.Contains(err.Error(), "records") {
		t.Errorf("forget while records are made: %v", err)
	}
	if !strings.Contains(s.objects(t)[secretRecords], "/gone") {
		t.Error("a call that was refused removed a record")
	}
}
