import type { MonthAct, MonthReport } from '../../../operations/months/month-report.ts';
import { type Html, html } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import { when } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';

/** Who did what to the month, the newest first. */
export function historyView({ acts }: MonthReport, words: Words): Html {
  const w = words.month.history;
  const item = (one: MonthAct) => {
    const version = one.version === null ? '' : ` (${w.version(one.version)})`;
    return html`<li>${when(one.at, words)} <strong>${whoOf(one, words)}</strong>: ${w.acts[one.act] ?? one.act}${version}</li>`;
  };
  return html`<h2>${w.title}</h2>
${acts.length === 0 ? html`<p>${w.none}</p>` : html`<ol class="timeline">${lines(acts.map(item))}</ol>`}`;
}

function whoOf({ who, name }: MonthAct, { month: { history: w } }: Words): string {
  if (name !== null) return name;
  const [kind, ...rest] = who.split(':');
  switch (kind) {
    case 'person':
      return w.gone;
    case 'key':
      return w.key;
    case 'link':
      return w.link;
    case 'cli':
      return w.cli(rest.join(':'));
    default:
      return w.program;
  }
}
