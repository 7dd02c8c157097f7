extension HTMLPage {
  /// The page of releases under review.
  static let release = #"""
    // MARK: releases under review

    const operations = { insert: 'added', update: 'changed', delete: 'retired' }

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
            columns: changeColumns(releases.length > 1),
          }) : none('No rows change.')),
        ...releases.filter(release => release.sql.length).map((release, index) =>
          section('sql' + index, since ? `SQL of ${release.folder}` : 'SQL', null,
            release.sql.map(script => [el('h3', {}, script.file),
              script.statements.map(statement => el('pre', {}, statement))]))),
      ]]
    }

    // One line for each value that changes, and one for each row that comes or goes.
    function changes(releases) {
      const lines = []
      for (const { folder, tables } of releases) {
        for (const { table, rows } of tables) {
          for (const [operation, key, cells] of rows) {
            const row = { folder, table, operation, key, cells }
            if (operation == 'update') {
              for (const [column, before, after] of cells) {
                lines.push({ row, column, before, after })
              }
            } else {
              const listed = cells.map(([name, before, after]) => `${name}=${after ?? before}`)
              const isNew = operation == 'insert'
              lines.push({ row, column: wholeRow, [isNew ? 'after' : 'before']: listed.join('  ') })
            }
          }
        }
      }
      return lines
    }

    function changeColumns(isMany) {
      const side = (name, member, other, tag) => ({
        name, text: line => line[member] ?? '',
        draw: (cell, line) => compared(cell, line[member], line[other], tag, 80),
      })
      return [
        ...(isMany ? [{ name: 'Release', text: line => line.row.folder, isFilter: true, isLow: true,
          width: '12%' }] : []),
        { name: 'Change', text: line => operations[line.row.operation], isFilter: true,
          width: '6rem',
          draw: (cell, line) => {
            cell.textContent = operations[line.row.operation]
            cell.className = operations[line.row.operation]
          } },
        { name: 'Table', text: line => line.row.table, isFilter: true, isLow: true, width: '13%' },
        { name: 'Row', text: line => line.row.key, width: '16%' },
        { name: 'Column', text: line => line.column, isFilter: true, isLow: true, width: '13%' },
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

    """#
}
