// Problems go to the console, with the element to click on and the attribute as it is written. None of them stops the page.
export function warn(problem, el, name, value) {
  console.warn(`datastar: ${problem}` + (name ? `\n${name}="${value}"` : ''), el ?? '')
}
