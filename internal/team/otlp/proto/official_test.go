package proto

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	logs "go.opentelemetry.io/proto/otlp/logs/v1"
	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// The three signals, official and ours.
var signals = []struct {
	official func() proto.Message
	ours     func() Message
}{
	{func() proto.Message { return &logs.LogsData{} }, func() Message { return &Logs{} }},
	{func() proto.Message { return &metrics.MetricsData{} }, func() Message { return &Metrics{} }},
	{func() proto.Message { return &trace.TracesData{} }, func() Message { return &Traces{} }},
}

var (
	texts    = []string{"", "service.name", "héllo \u2028 \"quoted\" \\ </script>", "\x00\x1f", "🦀", strings.Repeat("long ", 60)}
	integers = []int64{0, 1, -1, 127, 128, 1 << 53, 1<<53 + 1, math.MaxInt64, math.MinInt64}
	doubles  = []float64{0, math.Copysign(0, -1), 1, -2.5, 1e300, 5e-324, math.Inf(1), math.Inf(-1), math.NaN(), 1795360557046000000}
)

// random fills a message, its lists and what is one of several.
func random(r *rand.Rand, m protoreflect.Message, depth int) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if f.Message() != nil && depth == 0 || f.ContainingOneof() == nil && r.IntN(5) == 0 || f.ContainingOneof() != nil && r.IntN(3) > 0 {
			continue
		}
		if strings.HasSuffix(string(f.Name()), "strindex") { // of profiles only
			continue
		}
		one := func(empty func() protoreflect.Value) protoreflect.Value {
			switch f.Kind() {
			case protoreflect.MessageKind:
				v := empty()
				random(r, v.Message(), depth-1)
				return v
			case protoreflect.BoolKind:
				return protoreflect.ValueOfBool(r.IntN(2) == 0)
			case protoreflect.EnumKind:
				return protoreflect.ValueOfEnum(protoreflect.EnumNumber(r.IntN(5) - 1))
			case protoreflect.Int32Kind, protoreflect.Sint32Kind:
				return protoreflect.ValueOfInt32(int32(r.Uint32()))
			case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
				return protoreflect.ValueOfUint32(r.Uint32())
			case protoreflect.Int64Kind, protoreflect.Sfixed64Kind:
				return protoreflect.ValueOfInt64(integers[r.IntN(len(integers))])
			case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
				return protoreflect.ValueOfUint64(uint64(integers[r.IntN(len(integers))]))
			case protoreflect.DoubleKind:
				return protoreflect.ValueOfFloat64(doubles[r.IntN(len(doubles))])
			case protoreflect.StringKind:
				return protoreflect.ValueOfString(texts[r.IntN(len(texts))])
			case protoreflect.BytesKind:
				return protoreflect.ValueOfBytes([]byte(texts[r.IntN(len(texts))] + "\xff\xfb\xf0")[r.IntN(3):])
			}
			panic(f.Kind().String())
		}
		if !f.IsList() {
			m.Set(f, one(func() protoreflect.Value { return m.NewField(f) }))
			continue
		}
		list := m.Mutable(f).List()
		for range r.IntN(3) {
			list.Append(one(list.NewElement))
		}
	}
}

// translated is an official message as one of ours.
func translated(m proto.Message) Message {
	switch m := m.(type) {
	case *logs.LogsData:
		out := &Logs{}
		for _, r := range m.ResourceLogs {
			of := &Of[LogRecord, *LogRecord]{Resource: ofResourceIn(r.Resource)}
			for _, s := range r.ScopeLogs {
				of.Scopes = append(of.Scopes, &In[LogRecord, *LogRecord]{scopeIn(s.Scope), each(s.LogRecords, func(l *logs.LogRecord) *LogRecord {
					return &LogRecord{l.TimeUnixNano, l.ObservedTimeUnixNano, anyIn(l.Body), attributesIn(l.Attributes), l.EventName}
				})})
			}
			out.Resources = append(out.Resources, of)
		}
		return out
	case *metrics.MetricsData:
		out := &Metrics{}
		for _, r := range m.ResourceMetrics {
			of := &Of[Metric, *Metric]{Resource: ofResourceIn(r.Resource)}
			for _, s := range r.ScopeMetrics {
				of.Scopes = append(of.Scopes, &In[Metric, *Metric]{scopeIn(s.Scope), each(s.Metrics, metricIn)})
			}
			out.Resources = append(out.Resources, of)
		}
		return out
	case *trace.TracesData:
		out := &Traces{}
		for _, r := range m.ResourceSpans {
			of := &Of[Span, *Span]{Resource: ofResourceIn(r.Resource)}
			for _, s := range r.ScopeSpans {
				of.Scopes = append(of.Scopes, &In[Span, *Span]{scopeIn(s.Scope), each(s.Spans, func(s *trace.Span) *Span { return &Span{attributesIn(s.Attributes)} })})
			}
			out.Resources = append(out.Resources, of)
		}
		return out
	}
	panic("another signal")
}

func each[A, B any](list []*A, to func(*A) *B) (out []*B) {
	for _, one := range list {
		out = append(out, to(one))
	}
	return out
}

func ofResourceIn(r *resource.Resource) *Resource {
	if r == nil {
		return nil
	}
	return &Resource{attributesIn(r.Attributes)}
}

func scopeIn(s *common.InstrumentationScope) *Scope {
	if s == nil {
		return nil
	}
	return &Scope{s.Name}
}

func attributesIn(list []*common.KeyValue) []*KeyValue {
	return each(list, func(kv *common.KeyValue) *KeyValue { return &KeyValue{kv.Key, anyIn(kv.Value)} })
}

func anyIn(v *common.AnyValue) *AnyValue {
	if v == nil {
		return nil
	}
	switch v := v.Value.(type) {
	case *common.AnyValue_StringValue:
		return &AnyValue{v.StringValue}
	case *common.AnyValue_BoolValue:
		return &AnyValue{v.BoolValue}
	case *common.AnyValue_IntValue:
		return &AnyValue{v.IntValue}
	case *common.AnyValue_DoubleValue:
		return &AnyValue{v.DoubleValue}
	case *common.AnyValue_ArrayValue:
		return &AnyValue{&ArrayValue{each(v.ArrayValue.Values, anyIn)}}
	case *common.AnyValue_KvlistValue:
		return &AnyValue{&KeyValueList{attributesIn(v.KvlistValue.Values)}}
	case *common.AnyValue_BytesValue:
		return &AnyValue{v.BytesValue}
	}
	return &AnyValue{}
}

func metricIn(m *metrics.Metric) *Metric {
	out := &Metric{Name: m.Name}
	switch d := m.Data.(type) {
	case *metrics.Metric_Gauge:
		out.Data = &Gauge{each(d.Gauge.DataPoints, numberIn)}
	case *metrics.Metric_Sum:
		out.Data = &Sum{each(d.Sum.DataPoints, numberIn), Temporality(d.Sum.AggregationTemporality), d.Sum.IsMonotonic}
	case *metrics.Metric_Histogram:
		out.Data = &Histogram{each(d.Histogram.DataPoints, func(p *metrics.HistogramDataPoint) *HistogramPoint {
			return &HistogramPoint{Distribution{attributesIn(p.Attributes), p.StartTimeUnixNano, p.TimeUnixNano, p.Count, p.GetSum()}}
		}), Temporality(d.Histogram.AggregationTemporality)}
	case *metrics.Metric_ExponentialHistogram:
		out.Data = &ExponentialHistogram{each(d.ExponentialHistogram.DataPoints, func(p *metrics.ExponentialHistogramDataPoint) *ExponentialPoint {
			return &ExponentialPoint{Distribution{attributesIn(p.Attributes), p.StartTimeUnixNano, p.TimeUnixNano, p.Count, p.GetSum()}}
		}), Temporality(d.ExponentialHistogram.AggregationTemporality)}
	case *metrics.Metric_Summary:
		out.Data = &Summary{}
	}
	return out
}

func numberIn(p *metrics.NumberDataPoint) *NumberPoint {
	out := &NumberPoint{Attributes: attributesIn(p.Attributes), Start: p.StartTimeUnixNano, Time: p.TimeUnixNano}
	switch v := p.Value.(type) {
	case *metrics.NumberDataPoint_AsDouble:
		out.Value = v.AsDouble
	case *metrics.NumberDataPoint_AsInt:
		out.Value = v.AsInt
	}
	return out
}

// dump writes all of a message, also NaN so that it equals itself, and an empty list as none.
func dump(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		return v.Elem().Type().Name() + dump(v.Elem())
	case reflect.Struct:
		var out strings.Builder
		for i := range v.NumField() {
			fmt.Fprintf(&out, "%s:%s ", v.Type().Field(i).Name, dump(v.Field(i)))
		}
		return "{" + out.String() + "}"
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return fmt.Sprintf("%x", v.Bytes())
		}
		var out []string
		for i := range v.Len() {
			out = append(out, dump(v.Index(i)))
		}
		return "[" + strings.Join(out, " ") + "]"
	case reflect.Float64:
		return fmt.Sprintf("%x", math.Float64bits(v.Float()))
	}
	return fmt.Sprintf("%#v", v.Interface())
}

// agree reads a body by the official library and by ours. What the official one reads
// is to be read the same; what it does not is to be an error, unless lenient: damage in
// a member that we skip is not seen.
func agree(t *testing.T, json bool, i int, body []byte, lenient bool) {
	t.Helper()
	official, ours := signals[i].official(), signals[i].ours()
	var wrong, err error
	if json {
		wrong, err = protojson.UnmarshalOptions{DiscardUnknown: true, RecursionLimit: depth}.Unmarshal(body, official), FromJSON(body, ours)
	} else {
		wrong, err = proto.UnmarshalOptions{DiscardUnknown: true, RecursionLimit: depth}.Unmarshal(body, official), FromProtobuf(body, ours)
	}
	switch {
	case wrong != nil && err == nil && !lenient:
		t.Fatalf("read, though %v: %q", wrong, body)
	case json && !jsontext.Value(body).IsValid(jsontext.AllowDuplicateNames(true)):
		if err == nil {
			t.Fatalf("read, though it is no JSON: %q", body) // the official one takes 1E for a number
		}
	case wrong == nil && err != nil:
		t.Fatalf("not read, %v: %q", err, body)
	case wrong == nil:
		if got, want := dump(reflect.ValueOf(ours)), dump(reflect.ValueOf(translated(official))); got != want {
			t.Fatalf("%q\n got %s\nwant %s", body, got, want)
		}
	}
}

// TestOfficial: messages that the official library writes, whole, cut off and damaged.
func TestOfficial(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 240 {
		i := n % len(signals)
		m := signals[i].official()
		random(r, m.ProtoReflect(), 4+r.IntN(4))
		binary, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		agree(t, false, i, binary, false)
		for _, o := range []protojson.MarshalOptions{{}, {UseProtoNames: true}, {UseEnumNumbers: true, EmitUnpopulated: true}} {
			text, err := o.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			agree(t, true, i, text, false)
			for range 20 {
				if len(text) > 0 {
					agree(t, true, i, text[:r.IntN(len(text))], false)
					agree(t, true, i, damaged(r, text, `{}[],:"0-.eEnul\`), true)
				}
			}
		}
		for range 60 {
			if len(binary) > 0 {
				agree(t, false, i, binary[:r.IntN(len(binary))], false)
				agree(t, false, i, damaged(r, binary, ""), true)
			}
		}
	}
}

// damaged has one byte that is another, or that is there twice or not.
func damaged(r *rand.Rand, data []byte, of string) []byte {
	at := r.IntN(len(data))
	b := byte(r.IntN(256))
	if of != "" {
		b = of[r.IntN(len(of))]
	}
	switch head := append([]byte(nil), data[:at]...); r.IntN(3) {
	case 0:
		return append(append(head, b), data[at+1:]...)
	case 1:
		return append(append(head, b), data[at:]...)
	default:
		return append(head, data[at+1:]...)
	}
}

// TestSameBytes: an attribute is written as the official library writes it, so that a sum
// that was known to an earlier version is still known.
func TestSameBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		kv := &common.KeyValue{}
		random(r, kv.ProtoReflect(), 4)
		want, err := proto.MarshalOptions{Deterministic: true}.Marshal(kv)
		if err != nil {
			t.Fatal(err)
		}
		var got KeyValue
		if err := FromProtobuf(want, &got); err != nil {
			t.Fatal(err)
		}
		if again := got.Append(nil); string(again) != string(want) {
			t.Fatalf("%v\n got %x\nwant %x", kv, again, want)
		}
	}
}

// TestRules: what JSON and protobuf allow, and what they do not.
func TestRules(t *testing.T) {
	record := func(s string) string {
		return `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{` + s + `}]}]}]}`
	}
	value := func(s string) string { return record(`"body":{` + s + `}`) }
	for _, text := range []string{
		``, ` `, `null`, `[]`, `{}`, `{} {}`, `{}x`, `{"resourceLogs":null}`, `{"resourceLogs":[null]}`, `{"resourceLogs":{}}`, `{"resource_logs":[]}`, `{"ResourceLogs":3}`,
		`{"resourceLogs":[],"resource_logs":[]}`, `{"else":1,"else":2}`, `{"else":{"a":[1,{"b":2}]}}`, `{"else":` + strings.Repeat("[", 62) + strings.Repeat("]", 62) + `}`,
		`{"else":` + strings.Repeat("[", 63) + strings.Repeat("]", 63) + `}`, `{"else":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`,
		value(`"intValue":1`), value(`"intValue":"1"`), value(`"intValue":" 1"`), value(`"intValue":"1x"`), value(`"intValue":""`), value(`"intValue":1.0`), value(`"intValue":"1e3"`),
		value(`"intValue":1.5`), value(`"intValue":15e-1`), value(`"intValue":150e-1`), value(`"intValue":1.5e1`), value(`"intValue":1e19`), value(`"intValue":1e999999999`), value(`"intValue":0e9`),
		value(`"intValue":0.0`), value(`"intValue":-0`), value(`"intValue":-1.0e2`), value(`"intValue":9223372036854775807`), value(`"intValue":9223372036854775808`), value(`"intValue":"+1"`),
		value(`"intValue":"01"`), value(`"intValue":"0x1"`), value(`"intValue":true`), value(`"intValue":null`), value(`"intValue":1,"stringValue":"x"`), value(`"intValue":null,"stringValue":"x"`),
		value(`"int_value":1,"intValue":1`), value(`"doubleValue":"NaN"`), value(`"doubleValue":"Infinity"`), value(`"doubleValue":"-Infinity"`), value(`"doubleValue":"nan"`),
		value(`"doubleValue":1e400`), value(`"doubleValue":"1.5"`), value(`"doubleValue":" 1.5"`), value(`"boolValue":"true"`), value(`"boolValue":1`), value(`"stringValue":1`),
		value(`"stringValue":"\ud800"`), value("\"stringValue\":\"\xff\""), value(`"bytesValue":"_-8"`), value(`"bytesValue":"/+8="`), value(`"bytesValue":"/-8="`), value(`"bytesValue":"a"`),
		value(`"arrayValue":{"values":[{},{"intValue":1}]}`), value(`"arrayValue":{"values":[null]}`), value(`"arrayValue":[]`), value(`"kvlistValue":{"values":[{"key":"a"}]}`),
		record(`"timeUnixNano":-1`), record(`"timeUnixNano":"-0"`), record(`"timeUnixNano":18446744073709551615`), record(`"time_unix_nano":"1e3"`),
		value(deepJSON(27)), value(deepJSON(28)), value(deepJSON(29)), value(deepJSON(30)), value(deepJSON(31)),
	} {
		agree(t, true, 0, []byte(text), false)
	}
	for _, kind := range []string{"1", `"AGGREGATION_TEMPORALITY_CUMULATIVE"`, `"cumulative"`, "7", "-1", "1e1", `"1"`, "2147483648", "true", "null"} {
		agree(t, true, 1, []byte(`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"sum":{"aggregationTemporality":`+kind+`}}]}]}]}`), false)
	}
	for n := 26; n < 33; n++ {
		m := &common.AnyValue{}
		for range n {
			m = &common.AnyValue{Value: &common.AnyValue_ArrayValue{ArrayValue: &common.ArrayValue{Values: []*common.AnyValue{m}}}}
		}
		body, err := proto.Marshal(&logs.LogsData{ResourceLogs: []*logs.ResourceLogs{{ScopeLogs: []*logs.ScopeLogs{{LogRecords: []*logs.LogRecord{{Body: m}}}}}}})
		if err != nil {
			t.Fatal(err)
		}
		agree(t, false, 0, body, false)
	}
	in := func(parts ...string) string { // messages in messages, each member 1 but the last two
		body := strings.Join(parts, "")
		for _, tag := range []byte{0x12, 0x12, 0x0a} {
			body = string([]byte{tag, byte(len(body))}) + body
		}
		return body
	}
	for _, binary := range []string{
		"\x0a", "\x0a\x05", "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x00\x00", "\x02\x00", "\x0f", "\x08\x80", "\x08\x01", "\x0d\x01\x02\x03\x04",
		"\x09\x01", "\xf8\xff\xff\xff\x0f\x01", "\xf8\xff\xff\xff\x1f\x01", "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", "\x0c",
		in("\x2a\x02\x18\x05", "\x2a\x02\x18\x06"), in("\x2a\x02\x18\x05", "\x2a\x03\x0a\x01x"), in("\x2a\x03\x0a\x01\xff"), in("\x2a\x02\x10\x02"), in("\x08\x05"), in("\x62\x01\xff"),
		in("\x2a\x04\x2a\x02\x0a\x00", "\x2a\x04\x2a\x02\x0a\x00"),
	} {
		agree(t, false, 0, []byte(binary), false)
	}
}

func deepJSON(n int) string {
	return strings.Repeat(`"arrayValue":{"values":[{`, n) + strings.Repeat(`}]}`, n)
}
