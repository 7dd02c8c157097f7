// Each column gets the width of its heading. The rest is given to cells as far as there is
// room: first to columns that identify the line, then to those of few short words, then to the
// others, of which narrow ones stay whole. The first columns leave enough for readable values.
//
// A column has heading, need, isKey, isFilter and isWide: wide columns get the remaining width.
function shared(columns, room) {
  const widths = columns.map(column => column.heading)
  const sum = () => widths.reduce((sum, width) => sum + width, 0)
  function fill(isMeant, budget) {
    const left = new Set([...columns.keys()].filter(place => isMeant(columns[place])))
    while (left.size) {
      const share = budget / left.size
      const lacks = place => columns[place].need - widths[place]
      const narrow = [...left].filter(place => lacks(place) <= share)
      for (const place of narrow.length ? narrow : left) {
        const more = Math.max(0, Math.min(lacks(place), share))
        widths[place] += more
        budget -= more
        left.delete(place)
      }
    }
  }
  const free = () => Math.max(0, room - sum())
  fill(column => column.isKey, free() * 2 / (1 + columns.length))
  fill(column => column.isFilter, free() * .6)
  fill(column => !column.isKey, free())
  fill(column => column.isKey, free())
  const wide = [...columns.keys()].filter(place => columns[place].isWide)
  const takers = wide.length ? wide : [columns.length - 1]
  const more = free() / takers.length
  for (const place of takers) widths[place] += more
  return widths
}

const pen = document.createElement('canvas').getContext('2d')

// The longest text of a column in some lines, in pixels.
function widest(lines, text, font) {
  const step = Math.ceil(lines.length / 1000)
  let longest = ''
  for (let place = 0; place < lines.length; place += step) {
    const found = text(lines[place]).slice(0, 80)
    if (found.length > longest.length) longest = found
  }
  pen.font = font
  return pen.measureText(longest).width
}
