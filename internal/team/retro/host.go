package retro

import (
	"net/url"
	"strconv"
	"strings"
)

// A host is where a repository's pull requests can be read.
type host struct {
	web  string // https://host/owner/name, "" where a remote tells none
	form form   // of its messages, anyForm where its name tells nothing
}

// hostOf reads a remote: a URL, or git@host:owner/name.
func hostOf(remote string) host {
	remote = strings.TrimSpace(remote)
	var name, path string
	if scheme, _, ok := strings.Cut(remote, "://"); ok {
		u, err := url.Parse(remote)
		if err != nil || u.Hostname() == "" || scheme == "file" {
			return host{}
		}
		name, path = u.Host, u.Path
		if scheme == "ssh" || scheme == "git" || scheme == "git+ssh" {
			name = u.Hostname() // its port is not the pages'
		}
	} else {
		where, rest, ok := strings.Cut(remote, ":")
		if !ok || strings.ContainsAny(where, `/\`) || len(where) < 2 || strings.HasPrefix(rest, `\`) {
			return host{} // a path, C:\ included
		}
		_, name, ok = strings.Cut(where, "@")
		if !ok {
			name = where
		}
		path = rest
	}
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	if path == "" || !strings.Contains(path, "/") || strings.ContainsAny(path+name, "\"<>\\ \t\r\n") {
		return host{}
	}
	return hostAt(strings.ToLower(name), path)
}

// hostAt tells hosts apart by name, and what is their own of a path.
func hostAt(name, path string) host {
	switch bare, _, _ := strings.Cut(name, ":"); {
	case bare == "ssh.dev.azure.com", strings.HasSuffix(bare, "vs-ssh.visualstudio.com"): // v3/org/project/name
		if part := strings.Split(path, "/"); len(part) == 4 {
			return host{"https://dev.azure.com/" + part[1] + "/" + part[2] + "/_git/" + part[3], azureForm}
		}
		return host{}
	case bare == "dev.azure.com", strings.HasSuffix(bare, ".visualstudio.com"), strings.Contains(path, "/_git/"):
		return host{"https://" + name + "/" + path, azureForm}
	case bare == "bitbucket.org":
		return host{"https://" + name + "/" + path, bitbucketForm}
	case strings.HasPrefix(path, "scm/"), strings.Contains(bare, "bitbucket"), strings.Contains(bare, "stash"):
		project, repository, _ := strings.Cut(strings.TrimPrefix(path, "scm/"), "/")
		return host{"https://" + name + "/projects/" + strings.ToUpper(project) + "/repos/" + repository, serverForm}
	case strings.Contains(bare, "gitlab"):
		return host{"https://" + name + "/" + path, gitlabForm}
	case bare == "codeberg.org", strings.Contains(bare, "gitea"), strings.Contains(bare, "forgejo"):
		return host{"https://" + name + "/" + path, giteaForm}
	case strings.Contains(bare, "github"):
		return host{"https://" + name + "/" + path, githubForm}
	}
	return host{"https://" + name + "/" + path, anyForm}
}

// pull is the page of a pull request. Where the host's name tells nothing, how
// its messages are written does.
func (h host) pull(p *pull) string {
	if h.web == "" {
		return ""
	}
	is := h.form
	if is == anyForm {
		is = p.form
	}
	number := strconv.Itoa(p.number)
	switch is {
	case gitlabForm:
		return h.web + "/-/merge_requests/" + number
	case bitbucketForm, serverForm:
		return h.web + "/pull-requests/" + number
	case azureForm:
		return h.web + "/pullrequest/" + number
	case giteaForm:
		return h.web + "/pulls/" + number
	}
	return h.web + "/pull/" + number
}
