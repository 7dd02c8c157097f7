// The text that both have at their beginnings and ends. Words and numbers are not divided: in
// 7218 and 2138, two common digits mean nothing. Surrogate pairs stay whole.
function difference(before, after) {
  const most = Math.min(before.length, after.length)
  let start = 0, end = 0
  while (start < most && before[start] == after[start]) start++
  if (start && /[\ud800-\udbff]/.test(before[start - 1])) start--
  while (end < most - start && before.at(-1 - end) == after.at(-1 - end)) end++
  if (end && /[\udc00-\udfff]/.test(before.at(-end))) end--
  return {
    start: whole(start, place => isInside(before, place) || isInside(after, place)),
    end: whole(end, place => isInside(before, before.length - place)
      || isInside(after, after.length - place)),
  }
}

// Longer runs without a space are not words.
const longest = 64

function whole(place, isInside) {
  let shorter = place
  while (shorter > 0 && place - shorter < longest && isInside(shorter)) shorter--
  return isInside(shorter) ? place : shorter
}

const ofWord = /^[\p{L}\p{M}\p{N}_]$/u
// Words in these scripts have no spaces between them.
const scripts = ['Han', 'Hira', 'Kana', 'Thai', 'Laoo', 'Khmr', 'Mymr']
const alone = new RegExp(`^[${scripts.map(name => `\\p{sc=${name}}`).join('')}]$`, 'u')

// Whether a position in a text is inside a word, a number, a date, or an escape such as `\n`.
function isInside(text, place) {
  if (place < 1 || place >= text.length) return false
  const [before, one, other, after] = [text[place - 2], text[place - 1], text[place],
    text[place + 1]]
  const isDigit = letter => letter >= '0' && letter <= '9'
  if (one == '\\') return before != '\\'
  if (/[.,:-]/.test(other)) return isDigit(one) && isDigit(after)
  if (/[.,:-]/.test(one)) return isDigit(before) && isDigit(other)
  return ofWord.test(one) && ofWord.test(other) && !alone.test(one) && !alone.test(other)
    && before != '\\'
}

// - Parameter room: how many characters to show; nil for all. A tenth of them come before the
//   first difference.
function compared(cell, text, other, tag, room) {
  if (text == null || other == null || text == other) {
    cell.textContent = text == null ? '' : room ? text.slice(0, room) : text
    return
  }
  const { start, end } = difference(text, other)
  const from = room && start > room / 5 ? start - room / 10 : 0
  const to = room ? Math.min(text.length, from + room) : text.length
  const stop = Math.min(text.length - end, to)
  cell.replaceChildren(
    (from ? '…' : '') + text.slice(from, start),
    ...(stop > start ? [el(tag, {}, text.slice(start, stop))] : []), text.slice(stop, to))
}
