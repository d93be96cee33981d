package record

import "strings"

// A jsonRow collects what identifies one entry of a list or a map.
type jsonRow struct {
	line   Line
	owner  *jsonNode // the list or map; nil where the row is of a part of an entry
	deaf   bool      // its values say nothing about the entry
	keys   []string
	values []string
	prefix string   // of keys in a part: "State "
	left   bool     // there is more in the entry
	root   *jsonRow // the row that a part belongs to
	tags   bool     // a list of {"Key": …, "Value": …}
	tag    string   // the key of the present one
}

const jsonColumns = 6

func (r *jsonRow) add(key, value string) {
	if len(r.keys) < jsonColumns && value != "" && value != "null" && value != `""` {
		value = strings.Trim(value, `"`)
		if strings.HasPrefix(value, "https://www.googleapis.com/") { // a resource by its address: its name tells it
			value = value[strings.LastIndexByte(value, '/')+1:]
		}
		r.keys = append(r.keys, key)
		r.values = append(r.values, width(value))
	}
}

// top is the row that r is a part of, or r.
func (r *jsonRow) top() *jsonRow {
	if r.root != nil {
		return r.root
	}
	return r
}

// scalar takes a value of the entry, if it tells which or how the entry is.
func (r *jsonRow) scalar(key, value string) {
	root := r.top()
	switch {
	case r.deaf || !identifies(key) || len(value) > 120:
		root.left = root.left || value != "null"
	case r.tags: // of the tags only the name
		switch {
		case key == "Key":
			r.tag = value
		case r.tag == `"Name"`:
			root.add("Name", value)
		}
	default:
		root.add(r.prefix+key, value)
	}
}

// under returns the row for a part of the entry. Of an object in it only the
// state and the like count; of a list the first entries do.
func (r *jsonRow) under(key string, list bool) *jsonRow {
	root := r.top()
	part := &jsonRow{root: root, deaf: r.deaf, tags: r.tags || key == "Tags"}
	switch key {
	case "networkInterfaces", "NetworkInterfaces", "accessConfigs", "disks", "BlockDeviceMappings", "SecurityGroups": // an entry's own parts
		part.deaf = true
	case "", "State", "state", "Status", "status", "metadata", "owner", "user", "author":
	default:
		part.deaf = part.deaf || !list
	}
	if key != "" {
		part.prefix = key + " "
	}
	return part
}

// emit gives the row. Its only line opens the entry; the others are folded.
func (r *jsonRow) emit(emit Emit) {
	if len(r.keys) == 0 {
		r.owner.left++
		emit.line(Folded, r.line)
		return
	}
	keys := strings.Join(r.keys, " · ")
	if r.left {
		keys += " [… more …]"
	}
	emit(Record{Lines: []Line{r.line}, Group: keys, Row: strings.Join(r.values, " · ")})
}

// identifies reports whether the value of a key tells which of many an entry
// is, or what state it is in.
func identifies(key string) bool {
	switch key {
	case "OwnerId", "Code", "deviceName", "kind", "RootDeviceName", "RootDeviceType", "DeviceName", "RevisionId", "PackageType", "eventId", "ReservationId", "ImageId": // the same in all, or read by nobody
		return false
	}
	return oneOf(strings.ToLower(key), "id", "name", "key", "title", "status", "state", "type", "kind", "version", "path", "url", "html_url", "email", "login",
		"number", "phase", "message", "level", "error", "err", "exception", "detail", "conclusion", "severity", "code", "value", "file", "line", "namespace", "arn", "ref", "sha", "tag", "reason") || hasSuffix(key, "Id", "_id", "Name", "_name", "Type", "_type", "State", "Status", "_status", "IpAddress", "Arn", "ID", "Zone")
}
