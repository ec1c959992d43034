import { attributes } from './attributes.ts';
import { type Html, html, lines } from './html.ts';
import { table } from './tables.ts';

/** One number of each row, drawn as bars. `behind`: another one, drawn behind it. `isGap`: nothing is there though something could be: it is marked. */
type Series<Row> = {
  name: string;
  of(row: Row): number | null;
  behind?: { name: string; of(row: Row): number | null };
  isGap?(row: Row): boolean;
  /** How a number is written. */
  said(n: number): string;
  tone?: 'failing';
};

type Chart<Row> = {
  title: string;
  /** What it shows, for those who do not see it. */
  about: string;
  rows: readonly Row[];
  /** The heading of what the rows are, such as hours, and what one is called. */
  at: string;
  name(row: Row): string;
  series: readonly Series<Row>[];
  /** `none`: in place of a number that is not known. */
  words: { table: string; most: string; none: string };
};

const HEIGHT = 40;
const WIDTH = 10;

/** Bars for each series, one below the other over the same rows, and all numbers in a table. */
export function chart<Row>(given: Chart<Row>): Html {
  const { title, rows, at, name, series, words } = given;
  const said = (n: number | null, { said: write }: Series<Row>) => (n === null ? words.none : write(n));
  const numbers = series.flatMap((one) => [
    { name: one.name, n: true as const, cell: (row: Row) => said(one.of(row), one) },
    ...(one.behind === undefined ? [] : [{ name: one.behind.name, n: true as const, cell: (row: Row) => said(one.behind?.of(row) ?? null, one) }]),
  ]);
  const [first, last] = [rows[0], rows.at(-1)].map((row) => (row === undefined ? '' : name(row)));
  return html`<figure class="chart"><figcaption>${title} <span class="soft">${given.about}</span></figcaption>
${lines(series.map((one) => drawn(one, given)))}<p class="ends"><span>${first ?? ''}</span><span>${last ?? ''}</span></p>
<details><summary>${words.table}</summary>${table({ caption: title, columns: [{ name: at, cell: name }, ...numbers], rows })}</details></figure>`;
}

function drawn<Row>(one: Series<Row>, { about, rows, name, series, words }: Chart<Row>): Html {
  const all = rows.flatMap((row) => [one.of(row) ?? 0, one.behind?.of(row) ?? 0]);
  const most = Math.max(...all, 0);
  const label = `${one.name}. ${about} ${words.most} ${one.said(most)}.`;
  const bars = rows.map((row, place) => {
    const [n, behind] = [one.of(row) ?? 0, one.behind?.of(row) ?? 0];
    const said = one.behind === undefined ? one.said(n) : `${one.said(n)} (${one.behind.name}: ${one.said(behind)})`;
    const markup = one.isGap?.(row) === true ? gap(place) : html`${bar('behind', [place, behind], most)}${bar('n', [place, n], most)}`;
    return html`<g><title>${name(row)}: ${said}</title><rect class="whole" x="${place * WIDTH}" y="0" width="${WIDTH}" height="${HEIGHT}"></rect>${markup}</g>`;
  });
  const head = html`<p>${series.length > 1 ? one.name : ''} <span class="soft">${words.most} ${one.said(most)}</span></p>`;
  return html`${head}
<svg${attributes({ class: one.tone ?? null })} role="img" aria-label="${label}" viewBox="0 0 ${rows.length * WIDTH} ${HEIGHT}" preserveAspectRatio="none">
${lines(bars)}</svg>`;
}

/** What is not 0 is seen. */
function bar(kind: 'n' | 'behind', [place, n]: readonly [number, number], most: number): Html {
  const height = n === 0 ? 0 : Math.max(1.5, (n / most) * HEIGHT);
  const [left, width] = kind === 'n' ? [2, WIDTH - 4] : [0.5, WIDTH - 1];
  if (height === 0) return html``;
  return html`<rect class="${kind}" x="${place * WIDTH + left}" y="${round(HEIGHT - height)}" width="${width}" height="${round(height)}"></rect>`;
}

function gap(place: number): Html {
  return html`<rect class="gap" x="${place * WIDTH + 1}" y="${HEIGHT - 6}" width="${WIDTH - 2}" height="6"></rect>`;
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}

/** Bars within a line of text, all in one path, with a mark where nothing is; `label` has the numbers. `kind`: a class. */
export function strip(label: string, numbers: readonly number[], kind = ''): Html {
  const most = Math.max(...numbers, 1);
  const at = (wanted: (n: number) => boolean, height: (n: number) => number) =>
    numbers.map((n, place) => (wanted(n) ? `M${place * WIDTH + 1} 24v-${round(height(n))}h8V24z` : '')).join('');
  const bars = at(
    (n) => n > 0,
    (n) => Math.max(2, (n / most) * 24),
  );
  const gaps = at(
    (n) => n === 0,
    () => 2,
  );
  return html`<svg class="strip ${kind}" role="img" width="${numbers.length * 9}" height="24" viewBox="0 0 ${numbers.length * WIDTH} 24" preserveAspectRatio="none"><title>${label}</title><path class="n" d="${bars}"/><path class="gap" d="${gaps}"/></svg>`;
}
