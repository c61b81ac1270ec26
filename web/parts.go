package web

import (
	"strings"

	"imscope/sim/im"
	"imscope/templates"
)

// serverParts are the parts of the one program, in the order in which the chapter names them.
var serverParts = []struct {
	id         string
	name, does phrase
}{
	{"connection", phrase{"Connection", "连接"}, phrase{"talks to phones", "和手机说话"}},
	{"in", phrase{"Message in", "消息层（收）"}, phrase{"takes a message", "收下消息"}},
	{"out", phrase{"Message out", "分发层（发）"}, phrase{"hands messages out", "把消息给出去"}},
	{"storage", phrase{"Storage", "存储层"}, phrase{"reads and writes rows", "读写那张表"}},
	{"business", phrase{"Business", "业务层"}, phrase{"may they speak here?", "能在这里说话吗？"}},
}

func partsView(n narrator) (out []templates.ServerPart) {
	if n.scenario.Chapter != im.PollingChapter {
		return nil
	}
	for _, p := range serverParts {
		out = append(out, templates.ServerPart{ID: p.id, Name: p.name.in(n.Lang), Does: p.does.in(n.Lang)})
	}
	return out
}

// partsAtWork are the parts of the server that an event is the work of.
func partsAtWork(e *event) string {
	at := map[string]bool{}
	for i := range e.steps {
		for _, part := range partsOf(&e.steps[i]) {
			at[part] = true
		}
	}
	var out []string
	for _, p := range serverParts {
		if at[p.id] {
			out = append(out, p.id)
		}
	}
	return strings.Join(out, " ")
}

func partsOf(s *im.Step) []string {
	switch s.Data.Kind {
	case im.Began, im.LockWaited: // whoever begins to write has been let in
		return []string{"connection", "business", "in", "storage"}
	case im.Repeated:
		return []string{"connection", "business", "in"}
	case im.Stored, im.RolledBack:
		return []string{"in", "storage"}
	case im.PollRead:
		return []string{"connection", "business", "out", "storage"}
	case im.Held, im.HoldEnded, im.Subscribed, im.Silent:
		return []string{"connection", "out"}
	case im.Left:
		switch {
		case s.Actor != im.Server:
			return nil
		case s.Data.Leg == im.AckLeg:
			return []string{"connection", "in"}
		default:
			return []string{"connection", "out"}
		}
	}
	return nil
}
