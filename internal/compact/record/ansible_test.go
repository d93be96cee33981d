package record

import "testing"

const playbook = `Using /etc/ansible/ansible.cfg as config file

PLAY [bakery] ******************************************************************

TASK [Gathering Facts] *********************************************************
ok: [oven-1]
ok: [oven-2]
fatal: [oven-3]: UNREACHABLE! => {"changed": false, "msg": "Failed to connect to the host via ssh: Connection timed out", "unreachable": true}

TASK [Copy the flour list] *****************************************************
changed: [oven-1]
changed: [oven-2]

TASK [Open the doors] **********************************************************
skipping: [oven-1]
changed: [oven-2] => (item=front)
ok: [oven-2] => (item=back)

TASK [Say what is baked] *******************************************************
ok: [oven-1] => {
    "msg": "rye and spelt"
}

TASK [Light the fire] **********************************************************
FAILED - RETRYING: [oven-1]: Light the fire (2 retries left).
fatal: [oven-1]: FAILED! => {"changed": false, "msg": "no wood in /srv/wood"}
...ignoring
fatal: [oven-2]: FAILED! => {"changed": false, "msg": "no wood in /srv/wood"}

NO MORE HOSTS LEFT *************************************************************

PLAY RECAP *********************************************************************
oven-1                     : ok=4    changed=1    unreachable=0    failed=0    skipped=1    rescued=0    ignored=1   
oven-2                     : ok=3    changed=2    unreachable=0    failed=1    skipped=0    rescued=0    ignored=0   
oven-3                     : ok=0    changed=0    unreachable=1    failed=0    skipped=0    rescued=0    ignored=0   
`

func TestAnsible(t *testing.T) {
	recs := parseCut(t, "ansible", playbook)
	equal(t, shown(recs, Failure),
		`fatal: [oven-3]: UNREACHABLE! => {"changed": false, "msg": "Failed to connect to the host via ssh: Connection timed out", "unreachable": true}`,
		`fatal: [oven-1]: FAILED! => {"changed": false, "msg": "no wood in /srv/wood"}`, "...ignoring",
		`fatal: [oven-2]: FAILED! => {"changed": false, "msg": "no wood in /srv/wood"}`,
		"oven-2                     : ok=3    changed=2    unreachable=0    failed=1    skipped=0    rescued=0    ignored=0",
		"oven-3                     : ok=0    changed=0    unreachable=1    failed=0    skipped=0    rescued=0    ignored=0")
	equal(t, shown(recs, Keep), "PLAY [bakery]", "TASK [Gathering Facts]", "TASK [Copy the flour list]", "changed: [oven-1], [oven-2]",
		"TASK [Open the doors]", "TASK [Say what is baked]", "TASK [Light the fire]", "PLAY RECAP")
	equal(t, shown(recs, Body), "changed: [oven-2] => (item=front)", "ok: [oven-1] => {", `    "msg": "rye and spelt"`, "}")
	keys := map[string]string{}
	for _, r := range recs {
		keys[r.Key] += r.Site + " "
	}
	if keys[`FAILED! => {"changed": false, "msg": "no wood in /srv/wood"}`] != "oven-1 oven-2 " {
		t.Errorf("the hosts of one failure: %q", keys)
	}
	scrambleBy(t, parseCut, "ansible", playbook)
}

// A playbook that cannot be read is its error and the place: what stands there
// is in the file.
func TestAnsiblePlace(t *testing.T) {
	for _, in := range []string{`[WARNING]: No inventory was parsed, only implicit localhost is available
[WARNING]: provided hosts list is empty, only localhost is available. Note that
the implicit localhost does not match 'all'
ERROR! couldn't resolve module/action 'bake.loaf.rise'. This often indicates a misspelling

The error appears to be in '/srv/bakery/site.yml': line 9, column 7, but may
be elsewhere in the file depending on the exact syntax problem.

The offending line appears to be:

  tasks:
    - name: Rise
      ^ here
`, `[ERROR]: couldn't resolve module/action 'bake.loaf.rise'. This often indicates a misspelling
Origin: /srv/bakery/site.yml:9:7

7   tasks:
8
9     - name: Rise
        ^ column 7
`} {
		recs := parseCut(t, "ansible", in)
		got := shown(recs, Failure)
		for i := len(got) - 1; i >= 0; i-- {
			if got[i] == "" {
				got = append(got[:i], got[i+1:]...)
			}
		}
		if len(got) != 2 || shown(recs, Body) != nil || shown(recs, Warn) != nil {
			t.Errorf("shows %q", got)
		}
		scrambleBy(t, parseCut, "ansible", in)
	}
	recs := parseCut(t, "ansible", "ERROR! 'rise' is no attribute\nThe offending line appears to be:\n  rise: 3\n")
	equal(t, shown(recs, Failure), "ERROR! 'rise' is no attribute", "  rise: 3")
}
