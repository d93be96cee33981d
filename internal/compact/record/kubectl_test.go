package record

import (
	"fmt"
	"strings"
	"testing"
)

func TestKubectlFormats(t *testing.T) {
	recs := parseCut(t, "kubectl", `LAST SEEN   TYPE      REASON      OBJECT      MESSAGE
60m         Normal    Scheduled   pod/api-1   Successfully assigned shop/api-1 to node-2
2m          Warning   BackOff     pod/api-1   Back-off restarting failed container
1m          Warning   BackOff     pod/api-2   Back-off restarting failed container`)
	equal(t, shown(recs, Failure), "2m  Warning  BackOff  pod/api-1  Back-off restarting failed container", "1m  Warning  BackOff  pod/api-2  Back-off restarting failed container")
	equal(t, groups(recs), "Scheduled: ")

	in := "NAMESPACE   NAME    READY   STATUS    RESTARTS   AGE\n"
	for i := range 12 {
		in += fmt.Sprintf("shop        web-%02d   1/1     Running   0          3d\n", i)
	}
	recs = parseCut(t, "kubectl", in)
	for i := range 12 {
		if name := fmt.Sprintf("web-%02d", i); !strings.Contains(strings.Join(groups(recs), "\n"), name) {
			t.Errorf("%s is not named", name)
		}
	}
	in = "NAME     READY   STATUS    RESTARTS   AGE\n"
	for i := range 90 {
		in += fmt.Sprintf("web-%02d   1/1     Running   0          3d\n", i)
	}
	shown := rows(parseCut(t, "kubectl", in))
	if len(shown) != 91 || shown[1] != "web-00  1/1  Running  0  3d" || shown[90] != "web-89  1/1  Running …" { // what is cut has a mark
		t.Errorf("%d rows: %q", len(shown), shown)
	}
	recs = parseCut(t, "kubectl", "E1120 20:48:44.073092     869 memcache.go:265] refused\nE1120 20:48:45.073092     869 memcache.go:265] refused\nThe connection to the server localhost:8080 was refused")
	if len(recs) != 3 || recs[0].Key != recs[1].Key || recs[2].Class != Failure {
		t.Errorf("%+v", recs)
	}
}

func TestDescribe(t *testing.T) {
	in := `Name:             api-1
Namespace:        shop
Labels:           app=api
                  pod-template-hash=5f6d7c8b9
Containers:
  api:
    Container ID:  containerd://5f0b92e8
    Image:         api:1.43.0
    Image ID:      api@sha256:51e1a5bd
    Port:          <none>
    Last State:    Terminated
      Reason:      OOMKilled
    Mounts:
      /etc/api from config (rw)
      /var/run/secrets/kubernetes.io/serviceaccount from kube-api-access-8wz4k (ro)
Volumes:
  kube-api-access-8wz4k:
    Type:   Projected
QoS Class:  Burstable
Events:     <none>
`
	equal(t, shown(parseCut(t, "describe", in), Keep), "Name:  api-1", "Namespace:  shop", "Labels:  app=api", "Containers:", "  api:", "    Image:  api:1.43.0",
		"    Last State:  Terminated", "      Reason:  OOMKilled", "    Mounts:", "      /etc/api from config (rw)", "Volumes:", "Events:  <none>")
}

func TestManifest(t *testing.T) {
	in := "# Source: shop/templates/web.yaml\napiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  uid: 6f0e5b1a\n  resourceVersion: \"1\"\n  managedFields:\n  - manager: kubectl\n    time: x\nspec:\n  tolerations:\n  - effect: NoExecute\n    key: node.kubernetes.io/not-ready\n  - key: dedicated\n"
	for i := range 80 {
		in += fmt.Sprintf("  # %d\n", i)
	}
	in += "---\nkind: Service\nmetadata:\n  name: api\nspec:\n  containers:\n  - name: x\n    image: \"api:1\"\n"
	recs := parseCut(t, "manifest", in)
	equal(t, shown(recs, Keep)[:10], "# Source: shop/templates/web.yaml", "apiVersion: v1", "kind: Service", "metadata:", "  name: web", "spec:", "  tolerations:", "  - key: dedicated", "  # 0", "  # 1")
	equal(t, groups(recs), "Service: api  api:1")
}

func TestServicesOfALog(t *testing.T) {
	recs := parse(t, "log", "api-1  | 10:00:00.000 ERROR lost\nweb-1  | plain\napi-1  |   at main.js:3\n[pod/web-1/app] 10:00:00.000 ERROR x\n[pod/web-2/app] more")
	equal(t, shown(recs, Failure), "api-1  | 10:00:00.000 ERROR lost", "[pod/web-1/app] 10:00:00.000 ERROR x")
}

// A cluster that does not answer is told once, by the tool: what its library
// logged before stays only where the tool says nothing.
func TestKubectlWithoutCluster(t *testing.T) {
	entry := `E1122 14:34:43.74%d    5249 memcache.go:265] "Unhandled Error" err="couldn't get current server API group list: Get \"http://localhost:8080/api?timeout=32s\": dial tcp 127.0.0.1:8080: connect: connection refused"` + "\n"
	entries := strings.ReplaceAll(entry, "%d", "1") + strings.ReplaceAll(entry, "%d", "2")
	last := "The connection to the server localhost:8080 was refused - did you specify the right host or port?"
	for _, parser := range []string{"kubectl", "text", "guess"} {
		equal(t, shown(parse(t, parser, entries+last), Failure, Body, Keep), last)
		equal(t, shown(parse(t, parser, entries), Failure, Body, Keep), strings.Split(entries, "\n")[0])
		equal(t, shown(parse(t, parser, entries+"error: no pods\n"), Failure, Keep), strings.Split(entries, "\n")[0], "error: no pods")
	}
	equal(t, shown(parse(t, "text", "DEPRECATED: The old oven is deprecated and will be removed.\n            Install the new one:\n            https://oven.example/new\n\nno Dockerfile\n"), Warn, Body),
		"DEPRECATED: The old oven is deprecated and will be removed.", "", "no Dockerfile")
}
