// MARK: suggestions of users

const suggested = { edit: 'changed', addition: 'added', deletion: 'retired' }

function suggestions({ suggestions: lines, files, refused, refusedCount, at }) {
  document.title = 'Suggestions · Seedbed'
  const open = lines.filter(line => line.state == 'open').length
  const head = [
    el('h1', {}, 'What users suggest'),
    facts([['Files', grouped(files)], ['Suggestions', grouped(lines.length)],
      ['Open', grouped(open)], ['Made', moment(at)]]),
  ]
  return [head, [
    section('suggestions', 'Suggestions', lines.length,
      el('p', {}, 'Base is the value that was shipped, mine that of the users, and now that of '
        + 'the source, if it is neither.'),
      lines.length ? grid({
        label: 'Suggestions', noun: ['suggestion'], lines, open: openSuggestion,
        columns: suggestionColumns(lines),
      }) : none('No suggestions.')),
    refusals('Lines that cannot be used', refused, refusedCount),
  ]]
}

function suggestionColumns(lines) {
  const ifAny = (member, column) => lines.some(line => line[member] != null) ? [column] : []
  const side = (name, other, tag) => ({
    name: title(name), text: line => line[name] ?? '', isLow: true, isWide: true,
    draw: (cell, line) => compared(cell, line[name], line[other], tag, 80),
  })
  return [
    number('Devices', 'count'),
    { name: 'Change', text: line => suggested[line.kind], isFilter: true, isLow: true,
      draw: (cell, { kind }) => cell.replaceChildren(
        el('span', { class: suggested[kind] }, suggested[kind])) },
    ...(isMany(lines, line => line.table)
      ? [text('Table', 'table', { isFilter: true, isLow: true })] : []),
    text('Row', 'key', { isKey: true }),
    text('Column', 'column', { isFilter: true, isLow: true }),
    side('base', 'mine', 'del'), side('mine', 'base', 'ins'),
    { name: 'Value', isNarrow: true, isWide: true, text: line => line.mine ?? '',
      draw: (cell, { column, base, mine }) => {
        compared(cell, mine, base, 'ins', 30)
        if (column) cell.prepend(el('small', {}, column, ' '))
      } },
    ...ifAny('now', side('now', 'base', 'ins')),
    { name: 'State', text: line => line.state, isFilter: true,
      draw: (cell, { state }) => cell.replaceChildren(
        el('span', { class: tones[state] }, state)) },
    text('ID', 'id', { isLow: true, from: 80 }),
  ]
}

const tones = { open: 'changed', settled: 'same', outdated: 'retired', gone: 'same' }

function openSuggestion(line) {
  const [first, last] = line.versions
  show(`${line.table} ${line.key}`,
    facts([['Devices', grouped(line.count)], ['Change', suggested[line.kind]],
      ['State', line.state], ['Versions', first == last ? first : `${first} to ${last}`],
      ['Source', line.place], ['ID', line.id]]),
    line.note && el('p', {}, line.note),
    table('Values', ['Column', 'Base', 'Mine'], [[line.column || wholeRow,
      cell => compared(cell, line.base, line.mine, 'del'),
      cell => compared(cell, line.mine, line.base, 'ins')]]))
}
