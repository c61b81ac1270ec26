// <imscope-lab chapter="ordering" protocol="by-seq"> on somebody's page becomes a frame with the run in it. The attributes are those of
// the address (show, at, from, to, edits, loss …), but for height, title and lang. Until the frame answers, and where it never does, the
// element shows its own content.
//
// The frame and this script tell each other { imscope: kind, … }. Each takes only what comes from the other's window and origin.
{
  const base = new URL('.', document.currentScript.src)
  const notOfTheRun = /^(id|class|style|title|lang|height|chapter|scenario|protocol|(data|aria)-.*)$/
  const darkSystem = matchMedia('(prefers-color-scheme: dark)')
  const labs = () => [...document.querySelectorAll('imscope-lab')].filter((lab) => lab.frame)

  const make = (name) => document.createElement(name)
  const looks = new CSSStyleSheet()
  looks.replaceSync(`:host{display:block}div{position:relative;min-height:9rem;overflow:auto}iframe{display:block;width:100%;height:100%;border:0}
.waits{position:absolute;inset:0;visibility:hidden}:not(.waits)+slot{display:none}`)

  // Whether the page is dark where an element stands: by what is painted behind it, or else by the scheme.
  function isDark(element) {
    for (let e = element; e; e = e.parentElement) {
      const [r, g, b, opacity = 1] = getComputedStyle(e).backgroundColor.match(/^rgb.*/)?.[0].match(/[\d.]+/g) ?? [0, 0, 0, 0]
      if (opacity > 0.5) return +r + +g + +b < 384
    }
    const { colorScheme } = getComputedStyle(element)
    return /dark/.test(colorScheme) && (!/light/.test(colorScheme) || darkSystem.matches)
  }

  class Lab extends HTMLElement {
    connectedCallback() {
      if (!this.frame) {
        this.box = make('div')
        this.frame = make('iframe')
        this.frame.loading = 'lazy'
        this.box.append(this.frame, make('slot'))
        this.attachShadow({ mode: 'open' }).append(this.box)
        this.shadowRoot.adoptedStyleSheets = [looks]
        watch(this)
      }
      this.frame.className = 'waits'
      this.load()
    }

    get language() {
      return /^zh/.test(this.closest('[lang]')?.lang) ? 'zh' : 'en'
    }

    // Asks for the run of the attributes, in the language of the page. (One that the frame is in already it goes on to by itself.)
    load() {
      const value = (name) => this.getAttribute(name)
      const query = new URLSearchParams()
      for (const { name, value } of this.attributes) if (!notOfTheRun.test(name)) query.set(name, value || 'on')
      let path = '/' + value('chapter')
      if (value('scenario') || value('protocol')) path += '/' + (value('scenario') || 'book')
      if (value('protocol')) path += '/' + value('protocol')
      const run = `${path}?${query}`
      this.fixed = value('height') > 0
      if (this.fixed) this.box.style.height = value('height') + 'px'
      this.frame.title = this.title || `imscope: ${value('chapter')}`
      if (run === this.run) return this.tell()
      this.run = run
      this.frame.src = new URL(`embed/${this.language}${run}`, base)
    }

    send(message) {
      this.frame.contentWindow.postMessage(message, base.origin)
    }

    // Tells the frame how the page looks, if it has changed.
    tell() {
      const theme = this.getAttribute('theme') ? '' : isDark(this) ? 'dark' : 'light'
      const news = theme + this.language + this.fixed
      if (this.ready && news !== this.told) this.send({ imscope: 'page', theme, lang: this.language, fit: !this.fixed })
      this.told = news
    }

    hear({ imscope, height }) {
      if (imscope === 'ready') {
        this.ready = true
        this.told = ''
        this.tell()
      }
      if (imscope === 'height' && height > 0 && !this.fixed) this.box.style.height = Math.min(Math.max(height, 80), 4000) + 'px'
      // It is seen once it has its place.
      if (this.fixed || imscope === 'height') this.frame.className = ''
    }
  }

  const watcher = new MutationObserver((changes) => {
    for (const { target } of changes) target.load?.()
    look()
  })
  const look = () => labs().forEach((lab) => lab.tell())
  const watch = (element) => element && watcher.observe(element, { attributes: true })
  watch(document.documentElement)
  watch(document.body)
  darkSystem.addEventListener('change', look)
  addEventListener('transitionend', look)

  addEventListener('message', ({ source, origin, data }) => {
    if (origin === base.origin && data?.imscope) for (const lab of labs()) if (source === lab.frame.contentWindow) lab.hear(data)
  })

  // A marked link moves the embed that it names by its id, or else the nearest one of its chapter; if there is none, or it has not
  // answered, it is a link like any other.
  addEventListener('click', (event) => {
    const link = event.target.closest?.('a[data-imscope]')
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    const id = link.dataset.imscope
    const top = (element) => element.getBoundingClientRect().top
    const far = (lab) => Math.abs(top(lab) - top(link))
    const [lab] = labs()
      .filter((lab) => lab.ready && (id ? lab.id === id : link.pathname.includes(`/${lab.getAttribute('chapter')}`)))
      .sort((a, b) => far(a) - far(b))
    if (!lab) return
    event.preventDefault()
    lab.send({ imscope: 'go', to: link.pathname.slice(base.pathname.length - 1) + link.search })
    lab.scrollIntoView({ block: 'nearest' })
  })

  customElements.define('imscope-lab', Lab)
}
