// A table with any number of lines, which are filtered, searched and sorted here. Only the
// visible part is drawn: all rows have the same height, and a few row elements are used again
// and again.
//
// A column has a name, text(line) and maybe: sort(line), draw(cell, line), need (its width in
// pixels, if it does not draw its text), isKey, isWide, isNumber, isFilter, isLow if a phone
// leaves it out, from (64 or 80) if screens narrower than that many rem leave it out, too, and
// isNarrow if only a phone shows it.
const rowHeight = 36
// Browsers do not draw elements that are much higher.
const highest = 3e6
const printed = 1000
let grids = 0

function grid({ label, noun, columns, lines, open }) {
  const pick = columns.filter(column => column.isFilter)
    .map(column => ({ column, value: null }))
  let terms = [], shown = lines, active = -1, first = -1
  let sorted = { column: null, isDown: false }

  const body = el('tbody')
  const heads = columns.map((column, place) => el('th',
    { scope: 'col', class: look(column), 'aria-colindex': place + 1 },
    el('button', { type: 'button', click: () => sort(column) }, el('span', {}, column.name))))
  const cols = columns.map(column => el('col', { class: look(column) }))
  const id = `grid${++grids}`
  const sheet = el('table', {
    role: 'grid', tabindex: 0, 'aria-label': label, 'aria-colcount': columns.length,
    'aria-describedby': id + '-hint', keydown: press,
  }, el('colgroup', {}, cols), el('thead', {}, el('tr', { 'aria-rowindex': 1 }, heads)), body)
  const sizer = el('div', { class: 'sizer' }, sheet)
  const scroller = el('div', { class: 'scroller', scroll: () => draw() }, sizer)
  const status = el('output', { class: 'count', role: 'status' })
  const more = el('p', { class: 'print' })

  function look(column) {
    return [column.isNumber && 'number', column.isLow && 'low', column.isNarrow && 'narrow',
      column.from && 'from' + column.from].filter(Boolean).join(' ')
  }

  // MARK: what is shown

  function update() {
    const asked = pick.filter(({ value }) => value != null)
    shown = lines.filter(line =>
      asked.every(({ column, value }) => column.text(line) === value)
      && terms.every(term => hay(line).includes(term)))
    if (sorted.column) order(sorted.column, sorted.isDown)
    active = first = -1
    scroller.scrollTop = 0
    const all = count(lines.length, ...noun)
    const isAll = shown.length == lines.length
    status.textContent = isAll ? all : `${grouped(shown.length)} of ${all}`
    sheet.setAttribute('aria-rowcount', shown.length + 1)
    fit()
    draw()
  }

  function hay(line) {
    if (line.hay == null) {
      line.hay = columns.filter(column => !column.isNarrow)
        .map(column => column.text(line)).join('\n').toLowerCase()
    }
    return line.hay
  }

  function sort(column) {
    const isSame = sorted.column == column
    sorted = isSame && sorted.isDown ? { column: null } : { column, isDown: isSame }
    heads.forEach((head, index) => {
      if (columns[index] != sorted.column) head.removeAttribute('aria-sort')
      else head.setAttribute('aria-sort', sorted.isDown ? 'descending' : 'ascending')
    })
    update()
  }

  // Digits are compared as numbers.
  function order(column, isDown) {
    const key = column.sort || (line => column.text(line).slice(0, 200).toLowerCase()
      .replace(/\d+/g, digits => digits.padStart(20, '0')))
    const keyed = shown.map((line, place) => ({ line, place, key: key(line) }))
    keyed.sort((one, other) =>
      (one.key < other.key ? -1 : one.key > other.key ? 1 : 0) * (isDown ? -1 : 1)
        || one.place - other.place)
    shown = keyed.map(entry => entry.line)
  }

  // MARK: drawing

  // Includes the header, which stays visible.
  const whole = () => (shown.length + 1) * rowHeight
  const scale = () => whole() <= highest ? 1
    : (highest - scroller.clientHeight) / (whole() - scroller.clientHeight)
  const top = () => scroller.scrollTop / scale()

  // The widths that columns need are measured once, when there are rows to measure.
  let needs = null, fitted = 0
  function fitColumns() {
    const cells = body.rows[0]?.cells
    if (!cells || !scroller.clientWidth || scroller.clientWidth == fitted) return
    fitted = scroller.clientWidth
    const seen = [...columns.keys()].filter(place => heads[place].getClientRects().length)
    needs = needs || columns.map(column => column.need
      ?? widest(lines, column.text, getComputedStyle(cells[0]).font))
    const margins = cell => {
      const style = getComputedStyle(cell)
      return parseFloat(style.paddingLeft) + parseFloat(style.paddingRight)
    }
    const widths = shared(seen.map(place => {
      const { isKey, isFilter, isWide } = columns[place]
      const button = heads[place].firstChild
      // Leaves room for the arrow that shows the order, unless space is tight.
      const heading = Math.ceil(button.firstChild.offsetWidth + margins(button)) + 1
      const need = Math.max(heading + 14, Math.ceil(needs[place] + margins(cells[place])) + 1)
      return { heading, need, isKey, isFilter, isWide }
    }), fitted)
    sheet.style.width = widths.reduce((sum, width) => sum + width, 0) + 'px'
    seen.forEach((place, index) => { cols[place].style.width = widths[index] + 'px' })
  }

  function fit() {
    const height = Math.min(whole(), highest)
    sizer.style.height = height + 'px'
    // Includes the borders, and a scroll bar below if there is one.
    scroller.style.height = height + scroller.offsetHeight - scroller.clientHeight + 'px'
  }

  // - Parameter isWhole: true on paper, which does not scroll.
  function draw(isWhole) {
    const room = isWhole ? printed : Math.ceil(scroller.clientHeight / rowHeight) + 12
    const drawn = Math.min(room, shown.length)
    const start = isWhole ? 0
      : Math.max(0, Math.min(Math.floor(top() / rowHeight) - 6, shown.length - drawn))
    const isNew = start != first || body.rows.length != drawn
    if (isNew) {
      while (body.rows.length > drawn) body.lastChild.remove()
      while (body.rows.length < drawn) body.append(newRow(body.rows.length))
      for (let index = 0; index < drawn; index++) fill(body.rows[index], start + index)
      first = start
    }
    if (!isWhole) fitColumns()
    sheet.style.top = scroller.scrollTop - (top() - start * rowHeight) + 'px'
    mark()
  }

  function newRow(index) {
    return el('tr', { id: `${id}-${index}`, click: event => choose(event.currentTarget, true) },
      columns.map((column, place) =>
        el('td', { class: look(column), 'aria-colindex': place + 1 })))
  }

  function fill(row, index) {
    row.setAttribute('aria-rowindex', index + 2)
    columns.forEach((column, place) => {
      const cell = row.cells[place]
      if (column.isNarrow && !cell.getClientRects().length) return
      if (column.draw) column.draw(cell, shown[index])
      else cell.textContent = column.text(shown[index]).slice(0, 200)
    })
  }

  function mark() {
    body.querySelector('.active')?.classList.remove('active')
    const row = active < 0 ? null : body.rows[active - first]
    row?.classList.add('active')
    if (row) sheet.setAttribute('aria-activedescendant', row.id)
    else sheet.removeAttribute('aria-activedescendant')
  }

  // MARK: by hand

  function choose(row, isOpen) {
    active = first + [...body.rows].indexOf(row)
    mark()
    if (isOpen) open(shown[active], columns)
  }

  function press(event) {
    if (event.target != sheet) return
    const page = Math.max(1, Math.floor(scroller.clientHeight / rowHeight) - 2)
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }
    const last = shown.length - 1
    if (event.key == 'Enter' && active >= 0) open(shown[active], columns)
    else if (event.key == 'Home') go(0)
    else if (event.key == 'End') go(last)
    else if (event.key in steps) {
      go(Math.max(0, Math.min(last, active < 0 ? 0 : active + steps[event.key])))
    } else return
    event.preventDefault()
  }

  function go(index) {
    if (!shown.length) return
    active = index
    const room = scroller.clientHeight - 2 * rowHeight
    const place = index * rowHeight
    if (place < top()) scroller.scrollTop = place * scale()
    else if (place > top() + room) scroller.scrollTop = (place - room) * scale()
    draw()
    scroller.scrollIntoView({ block: 'nearest' })
  }

  addEventListener('beforeprint', () => {
    more.textContent = shown.length <= printed ? ''
      : `The first ${grouped(printed)} of ${count(shown.length, ...noun)} are printed.`
    draw(true)
  })
  addEventListener('afterprint', () => draw())
  new ResizeObserver(() => {
    // Other columns may be visible now.
    first = -1
    fit()
    draw()
  }).observe(scroller)

  // MARK: what filters it

  let timer
  const search = el('input', { type: 'search', autocomplete: 'off', spellcheck: 'false',
    input: () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        terms = search.value.toLowerCase().split(/\s+/).filter(Boolean)
        update()
      }, lines.length > 5000 ? 150 : 0)
    } })
  const menus = pick.map(choice => {
    const values = [...new Set(lines.map(choice.column.text))]
    if (values.length < 2) return null
    const options = values.sort().map(value =>
      el('option', { value }, value.slice(0, 80) || '(none)'))
    return el('label', {}, choice.column.name, el('select', { change: event => {
      const index = event.target.selectedIndex
      choice.value = index ? values[index - 1] : null
      update()
    } }, el('option', {}, 'All'), options))
  })
  const isShort = lines.length < 6
  const hint = el('p', { class: grids > 1 ? 'hint unseen' : 'hint faint', id: id + '-hint' },
    'Arrow keys move through the rows; Enter or a click shows one in full.')
  queueMicrotask(update)
  return el('div', { class: 'grid' },
    el('div', { class: 'tools' },
      menus, isShort ? null : el('label', {}, 'Search', search), status),
    scroller, more, hint)
}

// The details of a line that has none of its own: all its columns.
const openFacts = title => (line, columns) =>
  show(title(line), facts(columns.map(column => [column.name, column.text(line)])))
