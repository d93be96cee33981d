package proto

// A Resource is what reports.
type Resource struct{ Attributes []*KeyValue }

// A Scope is the part of it that does.
type Scope struct{ Name string }

// Logs, Metrics and Traces are what is sent.
type (
	Logs    struct{ Resources []*Of[LogRecord, *LogRecord] }
	Metrics struct{ Resources []*Of[Metric, *Metric] }
	Traces  struct{ Resources []*Of[Span, *Span] }
)

// Of is what a resource reports, In what a scope of it does.
type (
	Of[T any, P record[T]] struct {
		Resource *Resource
		Scopes   []*In[T, P]
	}
	In[T any, P record[T]] struct {
		Scope *Scope
		List  []*T
	}
)

// A record is what a signal has many of. within are the members of what it is in.
type record[T any] interface {
	to[T]
	within() (resource, scope []member)
}

// A LogRecord is an event.
type LogRecord struct {
	Time, Observed uint64 // nanoseconds since 1970
	Body           *AnyValue
	Attributes     []*KeyValue
	EventName      string
}

// A Span is only known to be one: cairn drops traces.
type Span struct{ Attributes []*KeyValue }

// A Metric has a *Gauge, *Sum, *Histogram, *ExponentialHistogram, *Summary or nil.
type Metric struct {
	Name string
	Data any
}

// Temporality says since when the points of a metric count.
type Temporality int32

// The values of a Temporality. Others may come.
const (
	Unspecified Temporality = iota
	Delta
	Cumulative
)

var temporalities = [...]string{"AGGREGATION_TEMPORALITY_UNSPECIFIED", "AGGREGATION_TEMPORALITY_DELTA", "AGGREGATION_TEMPORALITY_CUMULATIVE"}

// The kinds of metrics.
type (
	Gauge struct{ Points []*NumberPoint }
	Sum   struct {
		Points      []*NumberPoint
		Temporality Temporality
		Monotonic   bool
	}
	Histogram struct {
		Points      []*HistogramPoint
		Temporality Temporality
	}
	ExponentialHistogram struct {
		Points      []*ExponentialPoint
		Temporality Temporality
	}
	Summary struct{}
)

// A NumberPoint has an int64, a float64 or nil.
type NumberPoint struct {
	Attributes  []*KeyValue
	Start, Time uint64 // nanoseconds since 1970
	Value       any
}

// The points of histograms.
type (
	HistogramPoint   struct{ Distribution }
	ExponentialPoint struct{ Distribution }
)

// A Distribution is what they share.
type Distribution struct {
	Attributes         []*KeyValue
	Start, Time, Count uint64
	Sum                float64
}

var (
	ofResource  = []member{{number: 1, camel: "attributes", name: "attributes"}}
	ofScope     = []member{{number: 1, camel: "name", name: "name"}}
	ofLogs      = []member{{number: 1, camel: "resourceLogs", name: "resource_logs"}}
	ofMetrics   = []member{{number: 1, camel: "resourceMetrics", name: "resource_metrics"}}
	ofTraces    = []member{{number: 1, camel: "resourceSpans", name: "resource_spans"}}
	logsOf      = []member{{number: 1, camel: "resource", name: "resource"}, {number: 2, camel: "scopeLogs", name: "scope_logs"}}
	logsIn      = []member{{number: 1, camel: "scope", name: "scope"}, {number: 2, camel: "logRecords", name: "log_records"}}
	metricsOf   = []member{{number: 1, camel: "resource", name: "resource"}, {number: 2, camel: "scopeMetrics", name: "scope_metrics"}}
	metricsIn   = []member{{number: 1, camel: "scope", name: "scope"}, {number: 2, camel: "metrics", name: "metrics"}}
	spansOf     = []member{{number: 1, camel: "resource", name: "resource"}, {number: 2, camel: "scopeSpans", name: "scope_spans"}}
	spansIn     = []member{{number: 1, camel: "scope", name: "scope"}, {number: 2, camel: "spans", name: "spans"}}
	ofLogRecord = []member{{number: 1, camel: "timeUnixNano", name: "time_unix_nano"}, {number: 11, camel: "observedTimeUnixNano", name: "observed_time_unix_nano"},
		{number: 5, camel: "body", name: "body"}, {number: 6, camel: "attributes", name: "attributes"}, {number: 12, camel: "eventName", name: "event_name"}}
	ofSpan   = []member{{number: 9, camel: "attributes", name: "attributes"}}
	ofMetric = []member{{number: 1, camel: "name", name: "name"}, {5, "gauge", "gauge", true}, {7, "sum", "sum", true}, {9, "histogram", "histogram", true},
		{10, "exponentialHistogram", "exponential_histogram", true}, {11, "summary", "summary", true}}
	ofGauge     = []member{{number: 1, camel: "dataPoints", name: "data_points"}}
	ofHistogram = []member{{number: 1, camel: "dataPoints", name: "data_points"}, {number: 2, camel: "aggregationTemporality", name: "aggregation_temporality"}}
	ofSum       = []member{{number: 1, camel: "dataPoints", name: "data_points"}, {number: 2, camel: "aggregationTemporality", name: "aggregation_temporality"},
		{number: 3, camel: "isMonotonic", name: "is_monotonic"}}
	ofNumberPoint = []member{{number: 7, camel: "attributes", name: "attributes"}, {number: 2, camel: "startTimeUnixNano", name: "start_time_unix_nano"},
		{number: 3, camel: "timeUnixNano", name: "time_unix_nano"}, {4, "asDouble", "as_double", true}, {6, "asInt", "as_int", true}}
	ofHistogramPoint = []member{{number: 9, camel: "attributes", name: "attributes"}, {number: 2, camel: "startTimeUnixNano", name: "start_time_unix_nano"},
		{number: 3, camel: "timeUnixNano", name: "time_unix_nano"}, {number: 4, camel: "count", name: "count"}, {number: 5, camel: "sum", name: "sum"}}
	ofExponentialPoint = []member{{number: 1, camel: "attributes", name: "attributes"}, {number: 2, camel: "startTimeUnixNano", name: "start_time_unix_nano"},
		{number: 3, camel: "timeUnixNano", name: "time_unix_nano"}, {number: 4, camel: "count", name: "count"}, {number: 5, camel: "sum", name: "sum"}}
)

func (*Resource) members() []member             { return ofResource }
func (*Scope) members() []member                { return ofScope }
func (*Logs) members() []member                 { return ofLogs }
func (*Metrics) members() []member              { return ofMetrics }
func (*Traces) members() []member               { return ofTraces }
func (*LogRecord) members() []member            { return ofLogRecord }
func (*Span) members() []member                 { return ofSpan }
func (*Metric) members() []member               { return ofMetric }
func (*Gauge) members() []member                { return ofGauge }
func (*Sum) members() []member                  { return ofSum }
func (*Histogram) members() []member            { return ofHistogram }
func (*ExponentialHistogram) members() []member { return ofHistogram }
func (*Summary) members() []member              { return nil }
func (*NumberPoint) members() []member          { return ofNumberPoint }
func (*HistogramPoint) members() []member       { return ofHistogramPoint }
func (*ExponentialPoint) members() []member     { return ofExponentialPoint }

func (*LogRecord) within() (resource, scope []member) { return logsOf, logsIn }
func (*Metric) within() (resource, scope []member)    { return metricsOf, metricsIn }
func (*Span) within() (resource, scope []member)      { return spansOf, spansIn }

func (*Of[T, P]) members() []member {
	list, _ := P(nil).within()
	return list
}

func (*In[T, P]) members() []member {
	_, list := P(nil).within()
	return list
}

func (m *Resource) set(_ uint32, v value) error { return all(v, &m.Attributes) }
func (m *Scope) set(_ uint32, v value) error    { return v.text(&m.Name) }
func (m *Logs) set(_ uint32, v value) error     { return all(v, &m.Resources) }
func (m *Metrics) set(_ uint32, v value) error  { return all(v, &m.Resources) }
func (m *Traces) set(_ uint32, v value) error   { return all(v, &m.Resources) }
func (m *Span) set(_ uint32, v value) error     { return all(v, &m.Attributes) }
func (m *Gauge) set(_ uint32, v value) error    { return all(v, &m.Points) }
func (*Summary) set(uint32, value) error        { return nil }

func (m *Of[T, P]) set(number uint32, v value) error {
	if number == 1 {
		return one(v, &m.Resource)
	}
	return all(v, &m.Scopes)
}

func (m *In[T, P]) set(number uint32, v value) error {
	if number == 1 {
		return one(v, &m.Scope)
	}
	return all[T, P](v, &m.List)
}

func (m *LogRecord) set(number uint32, v value) error {
	switch number {
	case 1:
		return v.fixed64(&m.Time)
	case 11:
		return v.fixed64(&m.Observed)
	case 5:
		return one(v, &m.Body)
	case 6:
		return all(v, &m.Attributes)
	}
	return v.text(&m.EventName)
}

func (m *Metric) set(number uint32, v value) error {
	switch number {
	case 1:
		return v.text(&m.Name)
	case 5:
		return either[Gauge](v, &m.Data)
	case 7:
		return either[Sum](v, &m.Data)
	case 9:
		return either[Histogram](v, &m.Data)
	case 10:
		return either[ExponentialHistogram](v, &m.Data)
	}
	return either[Summary](v, &m.Data)
}

func (m *Sum) set(number uint32, v value) error {
	switch number {
	case 1:
		return all(v, &m.Points)
	case 2:
		return v.enum((*int32)(&m.Temporality), temporalities[:])
	}
	return v.boolean(&m.Monotonic)
}

func (m *Histogram) set(number uint32, v value) error {
	if number == 1 {
		return all(v, &m.Points)
	}
	return v.enum((*int32)(&m.Temporality), temporalities[:])
}

func (m *ExponentialHistogram) set(number uint32, v value) error {
	if number == 1 {
		return all(v, &m.Points)
	}
	return v.enum((*int32)(&m.Temporality), temporalities[:])
}

func (m *NumberPoint) set(number uint32, v value) error {
	switch number {
	case 7:
		return all(v, &m.Attributes)
	case 2:
		return v.fixed64(&m.Start)
	case 3:
		return v.fixed64(&m.Time)
	case 4:
		return keep(&m.Value, v.double)
	}
	return keep(&m.Value, v.sfixed64)
}

func (m *Distribution) set(number uint32, v value) error {
	switch number {
	case 2:
		return v.fixed64(&m.Start)
	case 3:
		return v.fixed64(&m.Time)
	case 4:
		return v.fixed64(&m.Count)
	case 5:
		return v.double(&m.Sum)
	}
	return all(v, &m.Attributes)
}

// Get are the attributes of a resource, none where there is none.
func (m *Resource) Get() []*KeyValue {
	if m == nil {
		return nil
	}
	return m.Attributes
}

// Get is the name of a scope, "" where there is none.
func (m *Scope) Get() string {
	if m == nil {
		return ""
	}
	return m.Name
}
