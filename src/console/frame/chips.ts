import { type DayRange, namedDays } from '../../operations/day-range.ts';
import { attributes } from '../../web/attributes.ts';
import { type Html, html, lines, nothing } from '../../web/html.ts';
import type { Words } from '../messages/messages.ts';

/** One of several views of a list. `count`: how much it has. */
export type Chip = { to: string; name: string; isOn: boolean; count?: string | null };

export function chips(all: readonly Chip[], label: string | null = null): Html {
  const one = ({ to, name, isOn, count = null }: Chip) =>
    html`<li><a href="${to}"${attributes({ 'aria-current': isOn ? 'true' : null })}>${name}${count === null ? nothing : html` <span class="soft">${count}</span>`}</a></li>`;
  return html`<ul class="chips"${attributes({ 'aria-label': label })}>${lines(all.map(one))}</ul>\n`;
}

type Days = { today: string; days: DayRange; to(days: DayRange): string };

/** The days that are mostly looked at, each a press; a second press ends it. `to`: the address of the list of some days. */
export function dayChips({ today, days, to }: Days, { frame: { days: say } }: Pick<Words, 'frame'>): Html {
  const named = namedDays(today);
  const chip = (name: keyof typeof named): Chip => {
    const isOn = named[name].from === days.from && named[name].to === days.to;
    return { to: to(isOn ? { from: '', to: '' } : named[name]), name: say[name], isOn };
  };
  return chips((['today', 'yesterday', 'since', 'week', 'month'] as const).map(chip), say.label);
}
