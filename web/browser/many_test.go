package browser

import "testing"

// Figures of very many runs come into the page while they converge, and a run is searched on request.
func TestManyRunsOnThePage(t *testing.T) {
	for _, o := range []options{{}, {Width: 360, Height: 740, Dark: true}} {
		p := openPlayer(t, o, "/en/ordering/random/by-id?at=end")
		p.js("$('#often a.button').click()")
		p.waitFor("$('#often table td')")
		p.is("!!$('#often progress')", "true")
		axe(t, p.tab)
		p.waitFor("$('#often').textContent.includes('All 199,248 messages')")
		axe(t, p.tab)
		p.shot("often")
		p.js("$('#find a.button, #find button').click()")
		p.waitFor("$('#find form')")
		axe(t, p.tab)
		p.shot("find")
		p.is("location.search", "?at=end") // the run above stands as it did
	}
}
