// Data reaches the page as text nodes and attributes only, never as HTML.
function el(tag, facts, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(facts || {})) {
    if (typeof value == 'function') node.addEventListener(name, value)
    else if (value === true) node.setAttribute(name, '')
    else if (value != null && value !== false) node.setAttribute(name, value)
  }
  node.append(...children.flat(Infinity).filter(child => child != null && child !== false))
  return node
}

const grouped = number => String(number).replace(/\B(?=(\d{3})+$)/g, ',')
const count = (number, one, many) =>
  `${grouped(number)} ${number == 1 ? one : many || one + 's'}`
const moment = text => text ? text.slice(0, 19).replace('T', ' ') + ' UTC' : ''
const duration = ms =>
  ms == null ? '' : ms < 1000 ? `${ms} ms` : ms < 60000 ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60000)} min ${String(Math.floor(ms / 1000) % 60).padStart(2, '0')} s`
function bytes(number) {
  if (number < 1000) return count(number, 'byte')
  const power = Math.min(Math.floor(Math.log10(number) / 3), 4)
  return `${(number / 1000 ** power).toFixed(1)} ${['', 'kB', 'MB', 'GB', 'TB'][power]}`
}

// `upToDate` as `up to date`
const words = name => name.replace(/[A-Z]/g, letter => ' ' + letter.toLowerCase())
const title = name => name[0].toUpperCase() + words(name).slice(1)
const tone = state =>
  /applied|upToDate|baseline/.test(state) ? 'good'
    : /pending|running|cancelled|reverted|restored/.test(state) ? 'waiting'
      : /withdrawn|superseded/.test(state) ? 'faint' : 'bad'
const chip = state => el('span', { class: 'chip ' + tone(state) }, words(state))

const facts = pairs => el('dl', {}, pairs.filter(pair => pair[1] != null && pair[1] !== '')
  .map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))))

// Shown where a column's name would be
const wholeRow = '(whole row)'

const sections = []
function section(id, title, number, ...children) {
  sections.push({ id, title, number })
  return el('section', { 'aria-labelledby': id },
    el('h2', { id, tabindex: -1 }, number == null ? title : `${title} (${grouped(number)})`),
    ...children)
}

// What was refused, and how much of it is not shown.
const refusals = (title, errors, number) => number > 0 && section('refused', title, number,
  el('ul', {}, errors.map(error => el('li', {}, error))),
  number > errors.length
    && el('p', {}, `${grouped(number - errors.length)} more are not shown.`))

// For each kind its word, its colour, and the sign before a number.
const kinds = {
  inserted: ['added', 'added', '+'], updated: ['changed', 'changed', '~'],
  deleted: ['retired', 'retired', '-'], kept: ['kept', 'kept', 'kept '],
  unchanged: ['unchanged', 'same', '='],
}
const legend = names => el('p', { class: 'key' }, names.map(name =>
  el('span', {}, el('i', { class: kinds[name][1], 'aria-hidden': 'true' }), kinds[name][0])))

// The numbers are in the columns next to it.
function bar(cell, parts, most) {
  const strip = el('div', { class: 'bar', 'aria-hidden': 'true' })
  for (const [name, number] of parts) {
    if (!number) continue
    const piece = el('span', { class: name })
    piece.style.width = 100 * number / most + '%'
    strip.append(piece)
  }
  cell.replaceChildren(strip)
}

function show(title, ...children) {
  const dialog = el('dialog', { 'aria-labelledby': 'detail', close: () => dialog.remove() },
    el('button', { class: 'close', type: 'button', click: () => dialog.close() }, 'Close'),
    el('h2', { id: 'detail' }, title), ...children)
  document.body.append(dialog)
  dialog.showModal()
}

// A small table that is shown completely: each row is its cells, as texts or as functions that
// fill one.
const table = (caption, names, rows) => el('table', { 'aria-label': caption },
  el('thead', {}, el('tr', {}, names.map(name => el('th', { scope: 'col' }, name)))),
  el('tbody', {}, rows.map(row => el('tr', {}, row.map(value => {
    const cell = el('td')
    if (typeof value == 'function') value(cell)
    else cell.textContent = value
    return cell
  })))))
