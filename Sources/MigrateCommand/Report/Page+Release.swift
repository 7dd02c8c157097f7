extension HTMLPage {
  /// The page of releases and that of many databases, and what begins the page.
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

    // MARK: many databases

    function fleet({ documents, at }) {
      document.title = 'Many databases · Seedbed report'
      const head = [el('h1', {}, 'Many databases'), facts([['Made', moment(at)]])]
      return [head, documents.map(({ file, document }, index) => {
        const { databases, each, failures, conflicts: places, counts } = document
        const numbers = counts || Object.fromEntries(
          ['changed', 'upToDate', 'failed', 'left', 'withConflicts'].map(name =>
            [name, document[name] ?? 0]))
        return section('fleet' + index, file, null,
          facts([['Databases', grouped(databases)],
            ...Object.entries(numbers).map(([name, value]) => [title(name), grouped(value)]),
            ['Time', duration(document.durationMs)],
            ['Slowest', document.slowest
              && `${document.slowest.database}, ${duration(document.slowest.durationMs)}`]]),
          places?.length > 0 && [el('h3', {}, 'Conflicts by place'), conflictPlaces(places)],
          failures?.length > 0 && [el('h3', {}, 'Failures'), members(failures, 'Failures')],
          each?.length > 0 && [el('h3', {}, 'Databases'), members(each, 'Databases')])
      })]
    }

    function conflictPlaces(lines) {
      const most = Math.max(1, ...lines.map(line => line.count))
      return grid({
        label: 'Conflicts by place', noun: ['place'], lines,
        open: openFacts(line => `${line.table}${line.column ? '.' + line.column : ''}`),
        columns: [
          text('Table', 'table', { isFilter: true }), text('Column', 'column', { isFilter: true }),
          { name: 'Kind', text: line => words(line.kind), isFilter: true },
          text('Policy', 'policy', { isLow: true }), number('Count', 'count'),
          { name: 'Share', text: line => `${Math.round(100 * line.count / most)} % of the most`,
            sort: line => line.count, isLow: true,
            draw: (cell, line) => bar(cell, [['changed', line.count]], most) },
        ],
      })
    }

    // Whatever a verb says of each database.
    function members(lines, label) {
      const plain = value => value == null ? '' : Array.isArray(value) ? value.map(plain).join('\n')
        : typeof value == 'object' ? value.message ?? Object.values(value).map(plain).join(' ')
          : typeof value == 'string' ? value : String(value)
      const names = [...new Set(lines.flatMap(Object.keys))]
      return grid({
        label, noun: ['database'], lines, open: openFacts(line => line.database),
        columns: names.map(name => ({
          name: title(name), text: line => plain(line[name]),
          width: name == 'database' ? '35%' : null, isFilter: name == 'state',
          isLow: name == 'databaseUnchanged' || name == 'applied',
          ...(lines.every(line => typeof line[name] == 'number')
            ? { sort: line => line[name], isNumber: true, width: '7rem' } : {}),
        })),
      })
    }

    // MARK: the page

    const data = JSON.parse(document.getElementById('data').textContent)
    const [head, body] = { report, release, fleet }[data.page](data)
    document.querySelector('header').append(...head.flat())
    document.querySelector('header').append(el('nav', { 'aria-label': 'Sections' }, el('ul', {},
      sections.map(({ id, title, number }) => el('li', {},
        el('a', { href: '#' + id }, number == null ? title : `${title} (${grouped(number)})`))))))
    document.querySelector('main').append(...body.filter(Boolean))
    document.querySelector('footer').append(`Made by ${data.tool}. `
      + 'This page is one file and loads nothing.')

    """#
}
