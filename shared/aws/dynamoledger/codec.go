package dynamoledger

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/klauspost/compress/zstd"

	"sluice/shared/state/ledger"
)

// Entries and links are stored as JSON compressed by zstd. The dictionary has
// their keys, which are most of a small JSON document: an item is smaller than
// the 1 KB that one write unit pays for.

// dictionaryID is part of each compressed value. Values outlive the code, so a
// dictionary never changes: a new one gets the next number, and the decoder
// keeps them all.
const (
	dictionaryID = 1
	dictionary   = `{"verdict":"redirected","verdict":"source","verdict":"skipped","rule":"robots","verdict":"dead","rule":"timeout",` +
		`"rule":"http_403","rule":"http_404","rule":"http_500","rule":"media","rule":"language","rule":"duplicate","fetched":false,` +
		`"drops":{"anchor":1,"depth":1,"nofollow":1,"priority":1,"scope":1,"trap":1},"target":"https://www.","detail":"","charset":"gb18030",` +
		`"is_seed":true,"is_source":true,"origin":"https://www.","hops":1,"attempts":1,.com.cn/.gov.cn/.org/.net/news/article/content/list/index.html.shtml?id=` +
		`{"verdict":"passed","rule":"description","fetched":true,"relevant":false,"round":1,"enqueued":0,"dropped":0,"drops":{"anchor":12,"priority":10,"scope":3},"at":"2026-11-21T08:00:00.123456789Z"}` +
		`{"verdict":"kept","fetched":true,"relevant":true,"enqueued":1,"dropped":30,"drops":{"anchor":12,"priority":10},"segment":"raw/.warc.gz","offset":1,"length":1,"at":"2026-11-21T08:00:00.123456789Z"}` + "\n" +
		`{"link":{"url":"https://www.","seed":"http://www.","parent":"http://www.","anchor":"","depth":1,"round":1,"priority":0.0,"parts":{"description":0.0,"anchor":0,"structure":0}},` +
		`"status":200,"charset":"utf-8","title":"","relevance":{"value":0.0,"words":10,"oov_ratio":0.0,"top":[{"word":"","topic":"","value":0.0},{"word":"","topic":"","value":0.0}]},"description_threshold":0.0,` +
		`"body_relevance":{"value":0.0,"words":100,"oov_ratio":0.0,"top":[{"word":"","topic":"","value":0.0},{"word":"","topic":"","value":0.0}]},"body_threshold":0.0,"history_size":50}` +
		`{"url":"","seed":"http://www.","parent":"https://www.","anchor":"","depth":2,"priority":0.0,"parts":{"description":0.0,"anchor":0.0,"structure":1}}`
)

// maxDecoded limits the decompressed size of a value. An item has at most 400
// KB.
const maxDecoded = 64 << 20

// codec compresses and decompresses. It is safe for concurrent use.
type codec struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
}

// newCodec ignores errors: they are about options, and these are constant.
func newCodec() *codec {
	enc, _ := zstd.NewWriter(nil, zstd.WithEncoderDictRaw(dictionaryID, []byte(dictionary)), zstd.WithEncoderCRC(false),
		zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithWindowSize(1<<17), zstd.WithSingleSegment(true))
	dec, _ := zstd.NewReader(nil, zstd.WithDecoderDictRaw(dictionaryID, []byte(dictionary)),
		zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxMemory(maxDecoded))
	return &codec{enc, dec}
}

func (c *codec) pack(b []byte) []byte { return c.enc.EncodeAll(b, nil) }

func (c *codec) unpack(b []byte) ([]byte, error) { return c.dec.DecodeAll(b, nil) }

// maxEntry is the largest entry that fits an item together with its URL. A
// trace that does not fit is dropped, so that the page can end.
const maxEntry = 300 << 10

// packEntry encodes an entry as its JSON, a line feed and its trace, unchanged
// by JSON.
func (c *codec) packEntry(e *ledger.Entry) ([]byte, error) {
	bare := *e
	bare.Trace = nil
	b, err := json.Marshal(&bare)
	if err != nil {
		return nil, err
	}
	if packed := c.pack(append(append(b[:len(b):len(b)], '\n'), e.Trace...)); len(packed) <= maxEntry {
		return packed, nil
	}
	packed := c.pack(append(b, '\n'))
	if len(packed) > maxEntry {
		return nil, errors.New("the entry is too large")
	}
	return packed, nil
}

func (c *codec) unpackEntry(packed []byte) (*ledger.Entry, error) {
	b, err := c.unpack(packed)
	if err != nil {
		return nil, err
	}
	body, trace, _ := bytes.Cut(b, []byte("\n"))
	e := new(ledger.Entry)
	if err := json.Unmarshal(body, e); err != nil {
		return nil, err
	}
	if len(trace) > 0 {
		e.Trace = trace
	}
	return e, nil
}
