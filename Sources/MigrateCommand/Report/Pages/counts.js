// MARK: what devices sent

function counts({ files, first, last, editions, runs, conflicts, refused, refusedCount, at }) {
  document.title = 'Counts · Seedbed report'
  const head = [
    el('h1', {}, 'What devices sent'),
    facts([['Devices', grouped(files)], ['Days', first == last ? first : `${first} to ${last}`],
      ['Made', moment(at)]]),
  ]
  return [head, [
    section('editions', 'Editions', editions.length, shares('Editions', editions, 'devices', [
      number('Version', 'version'), number('Devices', 'devices')])),
    section('runs', 'How last runs ended', runs.length, shares('Runs', runs, 'devices', [
      { name: 'Outcome', text: line => line.outcome, isKey: true, isFilter: true,
        draw: (cell, { outcome }) => cell.replaceChildren(chip(outcome)) },
      number('Version', 'version'), number('Devices', 'devices')])),
    section('conflicts', 'Conflicts', conflicts.length, conflicts.length > 0
      ? shares('Conflicts', conflicts, 'count', [
        number('Version', 'version'),
        text('Table', 'table', { isFilter: true, isKey: true }),
        { name: 'Column', text: line => line.column ?? wholeRow, isFilter: true },
        { name: 'Kind', text: line => words(line.kind), isFilter: true },
        number('Devices', 'devices'), number('Conflicts', 'count'), number('Open', 'open'),
      ])
      : none('No conflicts.')),
    refusals('Files that cannot be used', refused, refusedCount),
  ]]
}

// A table with bars, each a share of the most.
function shares(label, lines, member, columns) {
  const most = Math.max(1, ...lines.map(line => line[member]))
  return grid({
    label, noun: ['line'], lines, open: openFacts(() => label),
    columns: [...columns, {
      name: 'Share', text: line => `${Math.round(100 * line[member] / most)} % of the most`,
      sort: line => line[member], isLow: true, isWide: true, need: 90,
      draw: (cell, line) => bar(cell, [['changed', line[member]]], most) }],
  })
}

