extension Report {
    /// The style sheet, with the reader's fonts and light or dark mode.
    static let style = """
        :root {
          --page: #fdfdfc; --card: #f4f4f1; --text: #1d1f21; --quiet: #5f666d; --line: #dcdcd7;
          --in: #1f6fb5; --work: #c25b12; --out: #1e8a63; --good: #1e7a50; --bad: #b3261e;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #16181a; --card: #1f2225; --text: #e6e6e3; --quiet: #9aa1a8; --line: #34383c;
            --in: #6cb2f0; --work: #f0a062; --out: #5fcf9f; --good: #6fd0a0; --bad: #f28b82;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 70rem; overflow-wrap: anywhere;
          font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--page);
        }
        h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; }
        h2 { margin: 2rem 0 .5rem; font-size: 1rem; }
        .verdict { margin: .35rem 0; font-size: 1.15rem; }
        .about { margin: 0; color: var(--quiet); font-size: .875rem; }
        .about span { margin-right: 1em; white-space: nowrap; }
        .run { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.25rem; margin: 0; font-size: .875rem; }
        .run dt, .run dd { font-size: inherit; }
        .about .outcome { font-weight: 600; }
        .outcome.success { color: var(--good); }
        .failure, .interrupted { color: var(--bad); }
        .figures {
          display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .5rem; margin: 1.25rem 0 0;
        }
        .figures div { padding: .6rem .8rem; border-radius: .4rem; background: var(--card); }
        dt { color: var(--quiet); font-size: .8125rem; }
        dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
        .small { margin-top: 0; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); }
        .small dd { font-size: 1rem; }
        .diagrams {
          display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1.75rem 2rem;
          margin-top: 2rem;
        }
        figure { margin: 0; min-width: 0; }
        figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 1rem; }
        figcaption h2 { margin: 0; }
        figcaption ul { display: flex; gap: 1rem; margin: 0; padding: 0; list-style: none; font-size: .8125rem; }
        figcaption li::before {
          content: ""; display: inline-block; width: 1.1em; margin-right: .4em; vertical-align: .25em;
          border-top: .2em solid var(--in);
        }
        figcaption li.work::before { border-color: var(--work); border-top-style: dashed; }
        figcaption li.out::before { border-color: var(--out); }
        figure p { margin: .1rem 0 0; color: var(--quiet); font-size: .8125rem; }
        svg { display: block; width: 100%; height: auto; margin-top: .4rem; }
        svg text { fill: var(--quiet); font-size: 12px; font-variant-numeric: tabular-nums; }
        svg .left { text-anchor: end; }
        svg .middle { text-anchor: middle; }
        .grid, .mark { stroke: var(--line); fill: none; }
        .curve { stroke: var(--in); stroke-width: 1.75; fill: none; stroke-linejoin: round; }
        .curve.work { stroke: var(--work); stroke-dasharray: 5 2; }
        .curve.out { stroke: var(--out); }
        .curve.ratio { stroke: var(--work); }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; min-width: 46rem; width: 100%; font-size: .875rem; }
        th, td { padding: .35rem .5rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
        th { font-weight: 600; }
        thead th { color: var(--quiet); }
        th:first-child { text-align: left; }
        td { font-variant-numeric: tabular-nums; }
        @media (max-width: 34rem) {
          svg text { font-size: 17px; }
          .curve { stroke-width: 2.5; }
        }
        """
}
