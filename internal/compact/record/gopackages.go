package record

import "strings"

const goPackagesFew = 3 // packages that passed, and fewer, stay lines of their own

// goPackages puts the packages that passed on one line, and those that were cached
// on another: each directory once, with the packages in it and their times. A
// package with more to say stays as it is.
func goPackages(ok []Line, emit Emit) (out []Line) {
	var timed, cached []Line
	for _, l := range ok {
		switch f := strings.Fields(l.Text); {
		case len(f) != 3:
			out = append(out, l)
		case f[2] == "(cached)":
			cached = append(cached, l)
		default:
			timed = append(timed, l)
		}
	}
	for _, ls := range [][]Line{timed, cached} {
		if len(ls) <= goPackagesFew {
			out = append(out, ls...)
			continue
		}
		emit.each(Folded, ls[1:])
		ls[0].Text = "ok " + goDirectories(ls)
		if strings.HasSuffix(ls[1].Text, "(cached)") {
			ls[0].Text += " (cached)"
		}
		out = append(out, ls[0])
	}
	return out
}

// goDirectories lists the packages of lines: "example.com/{a 0.1s, b 0.2s}".
func goDirectories(ls []Line) string {
	var dirs []string
	in := map[string][]string{}
	for _, l := range ls {
		f := strings.Fields(l.Text)
		dir := f[1][:strings.LastIndexByte(f[1], '/')+1]
		if in[dir] == nil {
			dirs = append(dirs, dir)
		}
		in[dir] = append(in[dir], strings.TrimSuffix(strings.TrimPrefix(f[1], dir)+" "+f[2], " (cached)"))
	}
	for i, dir := range dirs {
		names := strings.Join(in[dir], ", ")
		if dirs[i] += names; len(in[dir]) > 1 && dir != "" {
			dirs[i] = dir + "{" + names + "}"
		}
	}
	return strings.Join(dirs, ", ")
}
