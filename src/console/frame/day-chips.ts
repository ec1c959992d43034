import { type DayRange, namedDays } from '../../operations/day-range.ts';
import { attributes } from '../../web/attributes.ts';
import { type Html, html } from '../../web/html.ts';
import type { Words } from '../messages/messages.ts';

type Chips = { today: string; days: DayRange; to(days: DayRange): string };

/** The days that are mostly looked at, each a press; a second press ends it. `to`: the address of the list of some days. */
export function dayChips({ today, days, to }: Chips, { frame: { days: say } }: Pick<Words, 'frame'>): Html {
  const all = namedDays(today);
  const chip = (name: keyof typeof all) => {
    const isOn = all[name].from === days.from && all[name].to === days.to;
    return html`<li><a href="${to(isOn ? { from: '', to: '' } : all[name])}"${attributes({ 'aria-current': isOn ? 'true' : null })}>${say[name]}</a></li>`;
  };
  return html`<ul class="chips" aria-label="${say.label}">${(['today', 'yesterday', 'week', 'month'] as const).map(chip)}</ul>`;
}
