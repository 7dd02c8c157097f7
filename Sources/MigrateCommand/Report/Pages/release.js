// MARK: releases under review

const operations = { insert: 'added', update: 'changed', delete: 'retired' }
const signs = { insert: '+ ', update: '~ ', delete: '- ' }

function release({ releases, since, at }) {
  const [one] = releases
  const name = since ? `New since ${since}` : one.folder
  document.title = `${name} · Seedbed release`
  const tables = releases.flatMap(({ version, tables }) =>
    tables.map(table => ({ version, ...table })))
  const head = [
    el('h1', {}, name),
    releases.filter(release => release.description).map(release =>
      el('p', {}, since ? `${release.folder}: ` : '', release.description)),
    releases.filter(release => release.withdrawn).map(release =>
      el('p', { class: 'bad' }, `${release.folder} is withdrawn: devices skip it.`)),
    facts([['Made', moment(at)]]),
  ]
  const lines = changes(releases)
  const omitted = tables.reduce((sum, table) => sum + table.omitted, 0)
  return [head, [
    tables.length > 0 && section('rows', 'Rows by table', null, legend(outcomes.slice(0, 3)),
      counted('Rows by table', tables)),
    section('changes', 'Changes', lines.length,
      omitted > 0 && el('p', {}, `${count(omitted, 'row')} left out by '--limit'.`),
      lines.length ? grid({
        label: 'Changes', noun: ['change'], lines, open: openChange,
        columns: changeColumns(lines),
      }) : none('No rows change.')),
    ...releases.filter(release => release.sql.length).map((release, index) =>
      section('sql' + index, since ? `SQL of ${release.folder}` : 'SQL', null,
        release.sql.map(script => [el('h3', {}, script.file),
          script.statements.map(statement => el('pre', {}, statement))]))),
  ]]
}

// One line for each value that changes, and one for each row that is added or retired. Changes
// come first, since a reader has to judge them. There may be any number of new rows.
function changes(releases) {
  const lines = { update: [], delete: [], insert: [] }
  for (const { folder, tables } of releases) {
    for (const { table, rows } of tables) {
      for (const [operation, key, cells] of rows) {
        const row = { folder, table, operation, key, cells }
        if (operation == 'update') {
          for (const [column, before, after] of cells) {
            lines.update.push({ row, column, before, after })
          }
        } else {
          const listed = cells.map(([name, before, after]) => `${name}=${after ?? before}`)
          const side = operation == 'insert' ? 'after' : 'before'
          lines[operation].push({ row, column: wholeRow, [side]: listed.join('  ') })
        }
      }
    }
  }
  return Object.values(lines).flat()
}

function changeColumns(lines) {
  const ifMany = (member, column) =>
    isMany(lines, member) ? [{ ...column, text: member, isFilter: true }] : []
  const side = (name, member, other, tag) => ({
    name, text: line => line[member] ?? '', isLow: true, isWide: true,
    draw: (cell, line) => compared(cell, line[member], line[other], tag, 80),
  })
  return [
    ...ifMany(line => line.row.folder, { name: 'Release', isLow: true }),
    { name: 'Change', text: line => operations[line.row.operation], isFilter: true, isLow: true,
      draw: (cell, { row }) => cell.replaceChildren(
        el('span', { class: operations[row.operation] }, operations[row.operation])) },
    ...ifMany(line => line.row.table, { name: 'Table', isLow: true }),
    { name: 'Row', text: line => line.row.key, isKey: true, isLow: true },
    { name: 'Row', text: line => signs[line.row.operation] + line.row.key, isKey: true,
      isNarrow: true,
      draw: (cell, { row: { operation, key } }) => cell.replaceChildren(
        el('span', { class: operations[operation] }, signs[operation]), key.slice(0, 200)) },
    { name: 'Value', isNarrow: true, isWide: true,
      text: line => line.after ?? line.before ?? '',
      draw: (cell, { row, column, before, after }) => {
        if (after == null) return cell.replaceChildren(el('del', {}, before.slice(0, 80)))
        compared(cell, after, before, 'ins', 30)
        if (row.operation == 'update') cell.prepend(el('small', {}, column, ' '))
      } },
    { name: 'Column', text: line => line.column, isFilter: true, isLow: true },
    side('Before', 'before', 'after', 'del'), side('After', 'after', 'before', 'ins'),
  ]
}

function openChange({ row }) {
  show(`${row.table} ${row.key}`,
    facts([['Release', row.folder], ['Change', operations[row.operation]]]),
    table('Values', ['Column', 'Before', 'After'], row.cells.map(([column, before, after]) =>
      [column, cell => compared(cell, before, after, 'del'),
        cell => compared(cell, after, before, 'ins')])))
}
