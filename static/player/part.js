// A part of the page. Pages show more or less of a run: what is not there is played by an element that nobody sees.
export const part = (lab, css) => lab.querySelector(css) ?? document.createElement('input')
