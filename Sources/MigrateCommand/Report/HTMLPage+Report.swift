extension HTMLPage {
  /// The page of one database.
  static let report = #"""
    const text = (name, member, more) =>
      ({ name, text: line => String(line[member] ?? ''), ...more })
    const number = (name, member, more) => ({
      name, text: line => line[member] == null ? '' : grouped(line[member]),
      sort: line => line[member] ?? -1, isNumber: true, ...more,
    })
    const none = words => el('p', { class: 'faint' }, words)
    const outcomes = ['inserted', 'updated', 'deleted', 'kept', 'unchanged']

    function bars(name, names, lines) {
      const sum = line => names.reduce((sum, name) => sum + line[name], 0)
      const most = Math.max(1, ...lines.map(sum))
      return {
        name, sort: sum, need: 90, isWide: true, isLow: true,
        text: line => names.filter(name => line[name])
          .map(name => `${grouped(line[name])} ${kinds[name][0]}`).join(', '),
        draw: (cell, line) => bar(cell, names.map(name => [kinds[name][1], line[name]]), most),
      }
    }

    // MARK: one database

    function report(data) {
      const { status } = data
      document.title = `${data.title} · Seedbed report`
      const head = [
        el('h1', {}, data.title, ' ', chip(status.state)),
        el('p', {}, `The database is at ${status.current} of ${status.target}.`),
        facts([['Database', status.database], ['Catalog', status.catalog],
          ['Made', moment(data.at)]]),
      ]
      return [head, [
        checks(data), downloads(status), data.estimate && pending(data.estimate),
        data.plan && plan(data.plan),
        timeline(data), releases(data), rows(data),
        section('conflicts', 'Conflicts', data.conflicts.length, conflicts(data.conflicts)),
        left(data.left), backups(data.backups),
      ]]
    }

    function checks({ findings }) {
      return section('checks', 'Checks', findings.length, findings.length
        ? el('ul', {}, findings.map(finding => el('li', { class: 'value' },
          el('strong', { class: 'bad' }, words(finding.code)), ' ',
          finding.file ? place(finding) + ': ' : '', finding.message)))
        : el('p', {}, 'Nothing is wrong: files, ledger and database agree.'))
    }

    // Left out of the documents if there are none.
    function downloads({ signedHeads = [], passedOver = [] }) {
      if (!signedHeads.length && !passedOver.length) return null
      return section('downloads', 'Downloads', null,
        signedHeads.length > 0 && el('ul', {}, signedHeads.map(head => el('li', { class: 'value' },
          `Releases up to ${head.version}, signed `,
          head.signedAt ? `on ${head.signedAt.slice(0, 10)} ` : '', 'by ',
          el('code', {}, head.key)))),
        passedOver.length > 0 && el('ul', {}, passedOver.map(other => el('li', { class: 'value' },
          el('strong', { class: 'bad' }, words(other.reason)), ' ', other.message))))
    }

    const place = ({ file, line, column }) => [file, line, column].filter(part => part).join(':')

    function pending(estimate) {
      const free = estimate.freeBytes
      const isTight = free != null && free < estimate.neededBytes
      return section('pending', 'Pending', estimate.pending.length,
        facts([
          ['Releases', estimate.pending.join(', ')],
          ['Rows', estimate.rows == null ? 'unknown without a lock' : grouped(estimate.rows)],
          ['Compressed', bytes(estimate.bytes)],
          ['Needs on the disk', bytes(estimate.neededBytes)],
          ['Free', free == null ? '' : bytes(free)],
          ['Takes about', estimate.durationMs == null ? 'unknown: no run was long enough to tell'
            : duration(estimate.durationMs)],
        ]),
        isTight && el('p', { class: 'bad' }, 'The disk does not have that much room.'))
    }

    function plan(plan) {
      if (plan.error) {
        return section('plan', 'Plan', null, el('p', { class: 'bad' }, plan.error.message))
      }
      const lines = plan.migrations.flatMap(({ version, tables }) =>
        tables.map(table => ({ version, ...table })))
      return section('plan', 'Plan', null,
        el('p', {}, `What 'up' would do now, from ${plan.from} to ${plan.to}. It was tried, and `
          + 'rolled back.'),
        lines.length ? [legend(outcomes), counted('What up would do', lines)]
          : none('No rows would change.'),
        el('h3', {}, `Conflicts in the plan (${grouped(plan.conflictCount)})`),
        conflicts(plan.conflicts),
        plan.conflictCount > plan.conflicts.length
          && none(`The first ${grouped(plan.conflicts.length)} are listed.`))
    }

    const counted = (label, lines) => {
      const names = outcomes.filter(name => lines[0][name] != null)
      return grid({
        label, noun: ['entry', 'entries'], lines,
        open: openFacts(line => `${line.version}: ${line.table}`),
        columns: [
          ...(isMany(lines, line => line.version) ? [number('Release', 'version')] : []),
          text('Table', 'table', { isFilter: true }),
          ...names.map(name => number(title(kinds[name][0]), name, { isLow: true })),
          { name: 'Rows', isNarrow: true, isKey: true,
            text: line => names.filter(name => line[name])
            .map(name => kinds[name][2] + grouped(line[name])).join(' ') },
          bars('Rows', names, lines),
        ],
      })
    }

    // A column is left out if all lines have the same text in it.
    const isMany = (lines, member) => lines.some(line => member(line) !== member(lines[0]))

    // MARK: what was done

    function timeline({ runs, releases }) {
      const known = new Set(runs.map(run => run.id))
      const alone = releases.filter(release => release.appliedAt && !known.has(release.run))
      const events = runs.map(run => ({
        at: run.startedAt, state: run.outcome, run,
        title: `${run.direction} ${run.from} → ${run.to}`,
        releases: releases.filter(release => release.run === run.id),
      })).concat(alone.map(release => ({
        at: release.appliedAt, state: release.state, title: `release ${release.version}`,
        releases: [release],
      }))).sort((one, other) => one.at < other.at ? 1 : -1)
      const list = el('ol', { class: 'timeline', reversed: true })
      let shown = 0
      const button = el('button', { type: 'button', class: 'more', click: () => more(200) })
      function more(many) {
        list.append(...events.slice(shown, shown + many).map(moments))
        shown = Math.min(events.length, shown + many)
        button.textContent = `Show older ones (${grouped(events.length - shown)})`
        button.hidden = shown == events.length
      }
      more(20)
      addEventListener('beforeprint', () => more(1000))
      return section('timeline', 'Timeline', events.length,
        events.length ? [list, button] : none('Nothing ran here yet.'))
    }

    const moments = ({ at, state, title, run, releases }) => el('li', { class: state },
      el('time', { datetime: at, class: 'faint' }, moment(at)), ' ',
      el('strong', {}, title), ' ', chip(state),
      run?.finishedAt && el('span', { class: 'faint' },
        ' ' + duration(Date.parse(run.finishedAt) - Date.parse(at))),
      run?.error && el('p', { class: 'bad' }, run.error),
      run?.backup && el('p', { class: 'faint' }, 'Backup: ', el('code', {}, run.backup)),
      releases.length > 0 && el('ul', {}, releases.map(release => el('li', {},
        `${release.version} ${release.name}: `
          + (outcomes.filter(name => release[name])
            .map(name => `${grouped(release[name])} ${kinds[name][0]}`).join(', ') || 'no rows')
          + (release.durationMs == null ? '' : `, ${duration(release.durationMs)}`)))))

    function releases({ releases }) {
      if (!releases.length) return null
      return section('releases', 'Releases', releases.length, legend(outcomes), grid({
        label: 'Releases', noun: ['release'], lines: releases,
        open: openFacts(line => `${line.version} ${line.name}`),
        columns: [
          number('Release', 'version'), text('Name', 'name', { isKey: true }),
          { name: 'State', text: line => words(line.state), isFilter: true },
          { name: 'Applied', text: line => moment(line.appliedAt), isLow: true },
          { name: 'Took', text: line => duration(line.durationMs),
            sort: line => line.durationMs ?? -1, isNumber: true, from: 64 },
          number('Rows', 'rows', { isLow: true }), bars('What became of them', outcomes, releases),
        ],
      }))
    }

    function rows({ releases }) {
      const lines = releases.flatMap(({ version, tables }) =>
        tables.map(table => ({ version, ...table })))
      if (!lines.length) return null
      return section('rows', 'Rows by table and release', null,
        el('p', {}, 'What the files of the releases hold.'), legend(outcomes.slice(0, 3)),
        counted('Rows by table and release', lines))
    }

    // MARK: conflicts and what came of them

    // One line for each column of a conflict. The values are text already.
    function conflicts(list) {
      if (!list.length) return none('The user and the releases disagreed on nothing.')
      const lines = list.flatMap(conflict => conflict.cells.map(([column, base, mine, seed]) =>
        ({ conflict, column: column || wholeRow, base, mine, seed })))
      const of = (name, member, more) =>
        ({ name, text: line => String(line.conflict[member] ?? ''), ...more })
      const side = (name, other, tag) => ({
        name: title(name), text: line => line[name] ?? '', isLow: true, isWide: true,
        from: name == 'base' ? 64 : null,
        draw: (cell, line) => {
          compared(cell, line[name], line[other], tag, 80)
          cell.classList.toggle('won', line.conflict.winner == name)
        },
      })
      return el('div', {},
        el('p', {}, 'Seed is the new value of the release, mine that of the user, and base the one '
          + 'that the release expected. The one that won is bold.'),
        grid({
          label: 'Conflicts', noun: ['value'], lines, open: line => openConflict(line.conflict),
          columns: [
            ...(isMany(list, conflict => conflict.version) ? [of('Release', 'version',
              { sort: line => line.conflict.version, isNumber: true, isLow: true })] : []),
            ...(isMany(list, conflict => conflict.table)
              ? [of('Table', 'table', { isFilter: true, isLow: true })] : []),
            of('Row', 'key', { isKey: true }),
            text('Column', 'column', { isFilter: true, isLow: true }),
            { name: 'Kind', text: line => words(line.conflict.kind), isFilter: true, from: 80 },
            side('base', 'seed', 'del'), side('mine', 'base', 'ins'), side('seed', 'base', 'ins'),
            of('Who won', 'outcome'),
            ...(list.some(conflict => conflict.settled)
              ? [of('Settled', 'settled', { isFilter: true, isLow: true })] : []),
          ],
        }))
    }

    function openConflict(conflict) {
      show(`${conflict.table} ${conflict.key}`,
        facts([['Release', conflict.version], ['Kind', words(conflict.kind)],
          ['Policy', conflict.policy], ['When', moment(conflict.at)],
          ['Moved to', conflict.movedTo], ['Settled', conflict.settled],
          ['Settled at', moment(conflict.settledAt)]]),
        el('p', {}, conflict.outcome),
        table('Values', ['Column', 'Base', 'Mine', 'Seed'],
          conflict.cells.map(([column, base, mine, seed]) => [column || wholeRow, base ?? '',
            cell => compared(cell, mine, base, 'ins'), cell => compared(cell, seed, base, 'ins')])))
    }

    function left(lines) {
      return section('left', 'Left to the user', lines.length, lines.length
        ? [el('p', {}, 'Keys that are the user’s; later releases leave them alone.'), grid({
          label: 'Left to the user', noun: ['row'], lines,
          open: openFacts(line => `${line.table} ${line.key}`),
          columns: [
            text('Table', 'table', { isFilter: true }),
            text('Row', 'key', { isKey: true, isWide: true }),
            { name: 'Why', text: line => words(line.kind), isFilter: true },
            number('Release', 'version', { isLow: true }),
          ],
        })] : none('No key is left to the user.'))
    }

    function backups(lines) {
      return section('backups', 'Backups', lines.length, lines.length ? grid({
        label: 'Backups', noun: ['backup'], lines, open: openFacts(line => line.path),
        columns: [
          number('Version', 'version'),
          { name: 'Taken', text: line => moment(line.takenAt) },
          { name: 'Size', text: line => line.bytes == null ? '' : bytes(line.bytes),
            sort: line => line.bytes, isNumber: true, isLow: true },
          { name: 'State', text: line => line.damaged ? 'damaged' : 'kept', isLow: true },
          text('File or command', 'path', { isLow: true }),
        ],
      }) : none('There is no backup.'))
    }

    """#
}
