package web

import (
	"bytes"
	"fmt"
	"net/http"

	"imscope/templates"
)

// picture sends a moment of a run as an SVG file.
func (p pages) picture(w http.ResponseWriter, r *http.Request) {
	link, problem := p.link(r)
	if problem != nil {
		p.problem(w, r, problem)
		return
	}
	link.Beside = nil // a picture shows one run
	s := newStage(link)
	err := s.play(r.Context(), func(bool) error { return nil })
	if err == nil && !s.found {
		err = errNoMoment
	}
	if err != nil {
		if problem := p.failed(link, err); problem != nil {
			p.problem(w, r, problem)
		}
		return
	}
	s.finish()
	var body bytes.Buffer
	if err := templates.PictureView(pictureOf(s)).Render(r.Context(), &body); err != nil {
		http.Error(w, "the picture could not be drawn", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf("inline; filename=%q", "imscope-"+link.Scenario.Name+"-"+link.Protocol.Name+".svg"))
	_, _ = w.Write(body.Bytes())
}

// pictureOf takes from a stage what has happened by its moment. A leg under way is drawn as far as it has come.
func pictureOf(s *stage) templates.Picture {
	v := &s.view
	p := templates.Picture{Lang: s.Lang, Diagram: v.Diagram, Columns: v.Screens.Columns,
		Title: fmt.Sprintf("%s · %s · %s", s.link.lesson().scenario(s.scenario.Name).name.in(s.Lang), s.link.lesson().protocol(s.link.Protocol.Name).name.in(s.Lang), v.Transport.Clock)}
	d := &p.Diagram
	d.Legs, d.Dots, d.Waits = nil, nil, nil
	for _, leg := range v.Diagram.Legs {
		if leg.Leaves > v.Now {
			continue
		}
		if leg.Lands > v.Now {
			done := (v.Now - leg.Leaves) / (leg.Lands - leg.Leaves)
			leg.X2, leg.Y2 = leg.X1+int(done*float64(leg.X2-leg.X1)), leg.Y1+int(done*float64(leg.Y2-leg.Y1))
			leg.Lost = false
		}
		d.Legs = append(d.Legs, leg)
	}
	for _, dot := range v.Diagram.Dots {
		if dot.At <= v.Now {
			d.Dots = append(d.Dots, dot)
		}
	}
	for _, wait := range v.Diagram.Waits {
		if wait.From <= v.Now {
			d.Waits = append(d.Waits, wait)
		}
	}
	return p
}
