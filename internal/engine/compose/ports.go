package compose

import (
	"fmt"
	"strconv"
	"strings"

	"poly/internal/diag"
	"poly/internal/yamlevent"
)

// published is a port of the host that a service takes.
type published struct {
	host     string // "": every address
	from, to int
	protocol string
	service  string
}

// ports reports ports of the host that two services take.
func (f *file) ports(all []entry) {
	var taken []published
	for _, s := range all {
		list := f.get(s.value, "ports")
		if list == nil || list.Kind != yamlevent.SequenceStart || tagged(list) || f.get(s.value, "profiles") != nil {
			continue
		}
		for _, i := range list.Items {
			p, ok := f.publishes(i.Follow())
			if !ok {
				continue
			}
			p.service = s.name
			if o := p.clash(taken); o != nil && (o.service != s.name || o.from != o.to || p.from != p.to) {
				f.report(i, codePort, diag.Warning, fmt.Sprintf("Port %s is taken by service %s", p.number(), short(o.service)), "")
				continue
			}
			taken = append(taken, p)
		}
	}
}

func (p *published) number() string {
	if p.from == p.to {
		return strconv.Itoa(p.from)
	}
	return fmt.Sprintf("%d-%d", p.from, p.to)
}

// clash returns what already takes one of the ports.
func (p *published) clash(taken []published) *published {
	for i := range taken {
		o := &taken[i]
		if o.protocol == p.protocol && o.from <= p.to && p.from <= o.to && (o.host == p.host || o.host == "" || p.host == "") {
			return o
		}
	}
	return nil
}

// publishes reads one of the ports of a service. ok is false if it takes none
// of the host, or if which one cannot be told.
func (f *file) publishes(n *yamlevent.Node) (p published, ok bool) {
	if n == nil || tagged(n) {
		return p, false
	}
	host, port, proto := shortPort(n.Value)
	if n.Kind == yamlevent.MappingStart {
		host, port, proto = f.value(n, "host_ip"), f.value(n, "published"), f.value(n, "protocol")
	}
	if strings.Contains(host+proto, "$") {
		return p, false
	}
	if host == "0.0.0.0" {
		host = ""
	}
	if proto == "" {
		proto = "tcp"
	}
	first, last, ranged := strings.Cut(port, "-")
	if !ranged {
		last = first
	}
	var err error
	if p.from, err = strconv.Atoi(first); err != nil || p.from == 0 {
		return p, false // 0 is any port that is free
	}
	if p.to, err = strconv.Atoi(last); err != nil {
		return p, false
	}
	p.host, p.protocol = host, strings.ToLower(proto)
	return p, true
}

// shortPort splits host:published:target/protocol.
func shortPort(s string) (host, port, proto string) {
	s, proto, _ = strings.Cut(s, "/")
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return "", "", proto
	}
	port = s[:i]
	if j := strings.LastIndexByte(port, ':'); j >= 0 {
		host, port = port[:j], port[j+1:]
	}
	return host, port, proto
}

// value returns the scalar of a key, or "".
func (f *file) value(n *yamlevent.Node, key string) string {
	if v := f.get(n, key); v != nil && v.Kind == yamlevent.Scalar {
		return v.Value
	}
	return ""
}
