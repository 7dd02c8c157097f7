/// Checks of a page as tools such as axe make them, run inside of it; each returns what is wrong.
enum Accessibility {
  static let all = [names, roles, headings, identifiers, contrast, width]

  /// Each control and each list or table that scrolls has a name.
  private static let names = """
    const visible = node => node.getClientRects().length > 0
    const name = node => (node.getAttribute('aria-label')
      || (node.getAttribute('aria-labelledby') || '').split(' ')
        .map(id => document.getElementById(id)?.textContent).join(' ').trim()
      || [...(node.labels || [])].map(label => label.firstChild.textContent).join(' ')
      || (node.matches('button, a') ? node.textContent : '')).trim()
    return [...document.querySelectorAll('button, a, input, select, table, dialog, nav, section')]
      .filter(node => visible(node) && !name(node)).map(node => 'no name: ' + node.outerHTML)
    """

  /// Grids say how many rows and columns they have, and which of them are drawn.
  private static let roles = """
    const wrong = []
    for (const grid of document.querySelectorAll('[role=grid]')) {
      const rows = [...grid.querySelectorAll('tbody tr')]
      const columns = grid.querySelectorAll('thead th').length
      const indices = rows.map(row => Number(row.getAttribute('aria-rowindex')))
      if (Number(grid.getAttribute('aria-colcount')) != columns) wrong.push('aria-colcount')
      if (Number(grid.getAttribute('aria-rowcount')) < rows.length + 1) wrong.push('aria-rowcount')
      if (indices.some((index, place) => index != indices[0] + place || index < 2)) {
        wrong.push('aria-rowindex: ' + indices)
      }
      if (rows.some(row => row.cells.length != columns)) wrong.push('cells of a row')
      if (grid.tabIndex != 0) wrong.push('a grid without focus')
      if (!document.getElementById(grid.getAttribute('aria-describedby'))) wrong.push('no hint')
    }
    for (const cell of document.querySelectorAll('th')) {
      if (cell.getAttribute('scope') != 'col') wrong.push('a header without scope')
    }
    if (document.querySelectorAll('main').length != 1) wrong.push('not one main')
    if (document.documentElement.lang != 'en') wrong.push('no language')
    if (!document.title) wrong.push('no title')
    return wrong
    """

  /// One h1, and no level left out.
  private static let headings = """
    const levels = [...document.querySelectorAll('h1, h2, h3, h4')].map(node => +node.tagName[1])
    const wrong = levels.filter((level, place) => level > (levels[place - 1] || 0) + 1)
    return [...wrong.map(level => 'h' + level + ' after a higher one'),
      ...(levels.filter(level => level == 1).length == 1 ? [] : ['not one h1'])]
    """

  private static let identifiers = """
    const ids = [...document.querySelectorAll('[id]')].map(node => node.id)
    const links = [...document.querySelectorAll('a[href^="#"]')].map(link => link.hash.slice(1))
    return [...ids.filter((id, place) => ids.indexOf(id) != place).map(id => 'twice: ' + id),
      ...links.filter(id => !ids.includes(id)).map(id => 'leads nowhere: ' + id)]
    """

  /// All text has a contrast of at least 4.5 with what is behind it.
  private static let contrast = """
    const parse = text => (text.match(/[\\d.]+/g) || []).map(Number)
    const light = ([r, g, b]) => [r, g, b].map(value => value / 255)
      .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
      .reduce((sum, value, place) => sum + value * [0.2126, 0.7152, 0.0722][place], 0)
    const behind = node => {
      for (; node; node = node.parentElement) {
        const color = parse(getComputedStyle(node).backgroundColor)
        if (color.length == 3 || color[3] == 1) return color
        if (color[3] > 0) return null
      }
      return null
    }
    const wrong = new Set()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode.parentElement
      if (!walker.currentNode.data.trim() || !node.getClientRects().length) continue
      const back = behind(node), front = parse(getComputedStyle(node).color)
      if (!back) { wrong.add('no plain background: ' + node.outerHTML.slice(0, 200)); continue }
      const [low, high] = [light(front), light(back)].sort((one, other) => one - other)
      const ratio = (high + 0.05) / (low + 0.05)
      if (ratio < 4.5) wrong.add(ratio.toFixed(2) + ': ' + node.outerHTML.slice(0, 200))
    }
    return [...wrong]
    """

  /// The page never scrolls sideways.
  private static let width = """
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
    return wide > 0 ? [`${wide} px too wide`] : []
    """
}
