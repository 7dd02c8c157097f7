extension HTMLPage {
  /// The style of the page by day, by night, on a phone and on paper.
  static let style = #"""
    :root {
      color-scheme: light dark;
      --page: #f6f7f9; --card: #fff; --text: #1b2430; --faint: #566170; --line: #d5dae1;
      --link: #0b57c4; --mark: #e8f0fe; --added: #176b3a; --changed: #8a5200; --retired: #b3261e;
      --kept: #6a3fa0; --same: #6b7684; --added-back: #dff3e6; --retired-back: #fbe3e1;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #12161c; --card: #1a2029; --text: #e6eaf0; --faint: #a3aebd; --line: #39434f;
        --link: #8ab8ff; --mark: #24344d; --added: #6bd394; --changed: #f0b35a; --retired: #ff9d95;
        --kept: #c5a3f5; --same: #8c98a6; --added-back: #17382a; --retired-back: #47211f;
      }
    }
    * { box-sizing: border-box; }
    html { scroll-padding-top: 1rem; }
    body {
      margin: 0; background: var(--page); color: var(--text);
      font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
    }
    header, main, footer { max-width: 96rem; margin: 0 auto; padding: 0 1.25rem; }
    header { padding-top: 1.5rem; }
    footer { padding-bottom: 2rem; color: var(--faint); font-size: .85rem; }
    h1, p, li { unicode-bidi: isolate; }
    h1 { font-size: 1.6rem; line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
    h2 { font-size: 1.15rem; margin: 0 0 .25rem; }
    h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
    p { margin: .25rem 0; max-width: 70ch; overflow-wrap: anywhere; }
    a { color: var(--link); }
    code, pre, td, dd, .value {
      font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
      font-size: .85rem;
    }
    pre {
      margin: .5rem 0; padding: .75rem; border: 1px solid var(--line); border-radius: 6px;
      background: var(--page); white-space: pre-wrap; overflow-wrap: anywhere;
    }
    :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
    .skip {
      position: absolute; left: 1rem; top: -4rem; padding: .5rem 1rem; background: var(--card);
    }
    .skip:focus { top: .5rem; z-index: 2; }
    .faint, small { color: var(--faint); }
    small { font-size: .75rem; }
    .unseen {
      position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
    }
    nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 1rem 0 0; padding: 0; }
    nav li { list-style: none; }
    section {
      margin: 1rem 0; padding: 1rem 1.25rem; background: var(--card);
      border: 1px solid var(--line); border-radius: 10px;
    }
    .chip {
      display: inline-block; padding: 0 .6em; border: 1px solid currentColor; border-radius: 1em;
      font: 600 .8rem/1.6 system-ui, "DejaVu Sans", sans-serif; white-space: nowrap;
    }
    .good, .added { color: var(--added); }
    .bad, .retired { color: var(--retired); }
    .waiting, .changed { color: var(--changed); }
    .kept { color: var(--kept); }
    .same { color: var(--same); }
    dl { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: .75rem 0 .25rem; }
    dl div { min-width: 0; }
    dt { color: var(--faint); font-size: .8rem; }
    dd { margin: 0; overflow-wrap: anywhere; }
    .timeline { margin: .75rem 0 0; padding: 0 0 0 1.1rem; border-left: 2px solid var(--line); }
    .timeline > li { position: relative; list-style: none; margin-bottom: .9rem; }
    .timeline > li::before {
      content: ""; position: absolute; left: -1.55rem; top: .4rem; width: .75rem; height: .75rem;
      border: 2px solid var(--card); border-radius: 50%; background: var(--dot, var(--same));
    }
    .timeline ul { margin: .15rem 0 0; padding-left: 1.1rem; }
    .timeline .applied { --dot: var(--added); }
    .timeline .failed, .timeline .interrupted { --dot: var(--retired); }
    .timeline .cancelled, .timeline .reverted, .timeline .restored { --dot: var(--changed); }
    .tools {
      display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: .75rem 0 .5rem;
    }
    .tools label { display: grid; color: var(--faint); font-size: .8rem; min-width: 0; }
    .tools .count { margin-left: auto; color: var(--faint); font-size: .85rem; }
    input, select, button {
      font: inherit; color: inherit; background: var(--card); border: 1px solid var(--same);
      border-radius: 6px; padding: .3rem .5rem; max-width: 100%;
    }
    input, select { height: 2.1rem; }
    select { max-width: 13rem; text-overflow: ellipsis; }
    button { cursor: pointer; }
    .scroller {
      position: relative; max-height: 70vh; overflow: auto; border: 1px solid var(--line);
      border-radius: 6px; overscroll-behavior-x: contain;
    }
    .scroller:has(table:focus-visible) { outline: 3px solid var(--link); outline-offset: 2px; }
    table { width: 100%; border-collapse: separate; border-spacing: 0; table-layout: fixed; }
    .scroller table { position: absolute; left: 0; outline: none; }
    th, td { text-align: left; padding: 0 .6rem; border-bottom: 1px solid var(--line); }
    th { font-size: .8rem; color: var(--faint); background: var(--card); }
    .scroller th { position: sticky; top: 0; z-index: 1; height: 36px; padding: 0; }
    .scroller th button {
      width: 100%; height: 35px; padding: 0 .6rem; border: 0; font-weight: 600; text-align: inherit;
      overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
    }
    .scroller th button:focus-visible { outline-offset: -3px; }
    th[aria-sort=ascending] button::after { content: " ↑"; }
    th[aria-sort=descending] button::after { content: " ↓"; }
    .scroller td { height: 36px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    tbody tr:last-child td { border-bottom: 0; }
    .scroller tbody tr { cursor: pointer; }
    .scroller tbody tr:hover, tr.active { background: var(--mark); }
    td, dd, .value { unicode-bidi: isolate; }
    .number { text-align: right; font-variant-numeric: tabular-nums; }
    .won { font-weight: 700; }
    del { background: var(--retired-back); text-decoration: line-through; }
    ins { background: var(--added-back); text-decoration: underline; }
    .bar { display: flex; height: 14px; }
    .bar span, .key i {
      background: currentColor; border-right: 1px solid var(--card); forced-color-adjust: none;
    }
    .bar span { min-width: 2px; }
    .key { display: flex; flex-wrap: wrap; gap: 0 1rem; font-size: .85rem; }
    .key i { display: inline-block; width: .8em; height: .8em; margin-right: .4em; }
    .key span { color: var(--text); }
    dialog {
      width: min(60rem, calc(100vw - 2rem)); max-height: 85vh; padding: 1.25rem; color: inherit;
      background: var(--card); border: 1px solid var(--same); border-radius: 10px; overflow: auto;
    }
    dialog::backdrop { background: rgb(0 0 0 / .5); }
    dialog table { margin-top: .75rem; }
    dialog td {
      padding: .4rem .6rem; vertical-align: top; white-space: pre-wrap; overflow-wrap: anywhere;
    }
    .close { float: right; margin-left: 1rem; }
    details { margin-top: .75rem; }
    summary { cursor: pointer; color: var(--link); }
    .print { display: none; }
    @media print, (min-width: 40.01rem) { .narrow { display: none; } }
    @media screen and (max-width: 80rem) { .from80 { display: none; } }
    @media screen and (max-width: 64rem) { .from64 { display: none; } }
    @media screen and (max-width: 40rem) {
      header, main, footer { padding-left: .75rem; padding-right: .75rem; }
      section { padding: .75rem; }
      .low { display: none; }
      .tools label, .tools select, .tools input { width: 100%; max-width: none; }
      .tools label { flex: 1 1 8rem; }
      th, td, .scroller th button { padding-left: .35rem; padding-right: .35rem; }
    }
    @media print {
      :root { --page: #fff; --card: #fff; --text: #000; --faint: #444; --line: #bbb; }
      body { font-size: 10pt; }
      nav, .tools, .hint, .skip, .more { display: none !important; }
      section { border: 0; padding: 0; }
      h2, h3 { break-after: avoid; }
      tr, .timeline > li { break-inside: avoid; }
      .scroller { max-height: none; height: auto !important; overflow: visible; border: 0; }
      .scroller .sizer { height: auto !important; }
      .scroller table { position: static; table-layout: auto; width: 100% !important; }
      .scroller col { width: auto !important; }
      .scroller th, .scroller th button { position: static; height: auto; padding: 0 .3rem; }
      .scroller td {
        height: auto; min-width: 9ch; padding: .1rem .3rem; white-space: normal;
        overflow-wrap: anywhere;
      }
      td { font-size: 8pt; vertical-align: top; }
      .bar { min-width: 8rem; }
      .bar span, .key i { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      .print { display: block; }
    }

    """#
}
