// MARK: many databases

function fleet({ documents, at }) {
  document.title = 'Many databases · Seedbed report'
  const head = [el('h1', {}, 'Many databases'), facts([['Made', moment(at)]])]
  const titles = documents.map(({ file, document }) => verbs[document.verb] || file)
  return [head, documents.map(({ file, document }, index) => {
    const { databases, each, failures, conflicts: places, counts } = document
    const name = titles[index], isOne = titles.filter(other => other == name).length == 1
    const numbers = counts || Object.fromEntries(
      ['changed', 'upToDate', 'failed', 'left', 'withConflicts'].map(name =>
        [name, document[name] ?? 0]))
    return section('fleet' + index, isOne ? name : `${name}: ${file}`, null,
      facts([['File', name == file ? null : file], ['Databases', grouped(databases)],
        ...Object.entries(numbers).map(([name, value]) => [title(name), grouped(value)]),
        ['Time', duration(document.durationMs)],
        ['Slowest', document.slowest
          && `${document.slowest.database}, ${duration(document.slowest.durationMs)}`]]),
      places?.length > 0 && [el('h3', {}, 'Conflicts by place'), conflictPlaces(places)],
      failures?.length > 0 && [el('h3', {}, 'Failures'), listed(failures, 'Failures')],
      each?.length > 0 && members(each))
  })]
}

// The subject of a document, by the verb that printed it.
const verbs = {
  up: 'Brought up to date', plan: 'What up would do', status: 'Status', conflicts: 'Conflicts',
  verify: 'Checks', rehearse: 'Rehearsals',
}

const isFine = ({ error, state, conflicts, findings, failures }) => !error && !conflicts
  && (state ?? 'upToDate') == 'upToDate' && !findings?.length && !failures?.length

// Databases that need attention. A click shows the others.
function members(all) {
  const fine = all.filter(isFine), others = all.filter(line => !isFine(line))
  const which = count(fine.length, others.length ? 'other database' : 'database')
  return [
    others.length > 0
      ? [el('h3', {}, `To look at (${grouped(others.length)})`), listed(others, 'To look at')]
      : none('There is nothing to look at.'),
    fine.length > 0 && el('details', {},
      el('summary', {}, `${which} in order`), listed(fine, 'In order')),
  ]
}

function conflictPlaces(lines) {
  const most = Math.max(1, ...lines.map(line => line.count))
  return grid({
    label: 'Conflicts by place', noun: ['place'], lines,
    open: openFacts(line => `${line.table}${line.column ? '.' + line.column : ''}`),
    columns: [
      text('Table', 'table', { isFilter: true, isKey: true }),
      text('Column', 'column', { isFilter: true }),
      { name: 'Kind', text: line => words(line.kind), isFilter: true },
      text('Policy', 'policy', { isLow: true }), number('Count', 'count'),
      { name: 'Share', text: line => `${Math.round(100 * line.count / most)} % of the most`,
        sort: line => line.count, isLow: true, isWide: true, need: 90,
        draw: (cell, line) => bar(cell, [['changed', line.count]], most) },
    ],
  })
}

// The folder that all paths share. They differ at their ends.
function common(paths) {
  const names = paths[0].split('/').slice(0, -1)
  const folder = () => names.map(name => name + '/').join('')
  while (!paths.every(path => path.startsWith(folder()))) names.pop()
  return folder()
}

// The lines of any verb for each database.
function listed(lines, label) {
  const plain = value => value == null ? '' : Array.isArray(value) ? value.map(plain).join('\n')
    : typeof value == 'object' ? value.message ?? Object.values(value).map(plain).join(' ')
      : typeof value == 'string' ? value : String(value)
  const folder = common(lines.map(line => plain(line.database)))
  const texts = {
    database: line => plain(line.database).slice(folder.length),
    state: line => words(plain(line.state)),
    lastRun: line => line.lastRun?.outcome == 'failed' ? line.lastRun.message ?? 'failed' : '',
  }
  const shown = name => texts[name] ?? (line => plain(line[name]))
  const names = [...new Set(lines.flatMap(Object.keys))]
    .filter(name => lines.some(line => !['', 'true'].includes(shown(name)(line))))
  return [folder && el('p', { class: 'faint' }, 'In ', el('code', {}, folder)), grid({
    label, noun: ['database'], lines, open: openFacts(line => plain(line.database)),
    columns: names.map(name => ({
      name: title(name), text: shown(name), isKey: name == 'database',
      isFilter: name == 'state', isWide: name == 'error' || name == 'lastRun',
      isLow: name == 'current' || name == 'target',
      ...(lines.every(line => typeof line[name] == 'number')
        ? { sort: line => line[name], isNumber: true } : {}),
    })),
  })]
}

// MARK: the page

const data = JSON.parse(document.getElementById('data').textContent)
const [head, body] = { report, release, suggestions, fleet }[data.page](data)
document.querySelector('header').append(...head.flat())
document.querySelector('header').append(el('nav', { 'aria-label': 'Sections' }, el('ul', {},
  sections.map(({ id, title, number }) => el('li', {},
    el('a', { href: '#' + id }, number == null ? title : `${title} (${grouped(number)})`))))))
document.querySelector('main').append(...body.filter(Boolean))
document.querySelector('footer').append(`Made by ${data.tool}. `
  + 'This page is one file and loads nothing.')
