extension HTMLPage {
  /// The page of many databases, and what fills every page when it opens.
  static let fleet = #"""
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
