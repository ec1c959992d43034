import { ownValue } from '../../../../contract/own-value.ts';
import { formChoices, type SingleSetting, singleSettings, type TypedSettings } from '../../../../operations/connections/settings-form.ts';
import type { ValueGap } from '../../../../operations/connections/show-store.ts';
import { attributes } from '../../../../web/attributes.ts';
import { type Html, html, nothing } from '../../../../web/html.ts';
import { lines } from '../../../../web/lines.ts';
import { field } from '../../../frame/parts.ts';
import type { Words } from '../../../words/words.ts';

type FormView = { typed: TypedSettings; gaps: readonly ValueGap[]; why: string; words: Words };

/** The fields of all settings: those that orders wait for come first, and empty rows for more. */
export function settingsFields({ typed, gaps, why, words }: FormView): Html {
  const { settings: say } = words.store;
  return html`<h2>${say.vat}</h2>
<p class="hint">${say.vatHint}</p>
${vatRows(typed, gaps, words)}<h2>${say.payments}</h2>
<p class="hint">${say.paymentsHint}</p>
${paymentRows(typed, gaps, words)}<h2>${say.others}</h2>
${singleSettings().map((setting) => single(setting, typed.single[setting.name] ?? '', words))}
${field({ name: 'why', label: say.why, value: why })}
`;
}

/** Values of this kind that no row has yet. */
function missing(kind: ValueGap['kind'], gaps: readonly ValueGap[], known: readonly string[]): { value: string; orders: number }[] {
  return gaps.flatMap(({ kind: is, value, orders }) => (is === kind && value !== null && !known.includes(value) ? [{ value, orders }] : []));
}

function vatRows({ vatGroups }: TypedSettings, gaps: readonly ValueGap[], { store: { settings: say }, review }: Words): Html {
  const known = vatGroups.map(({ rate }) => rate);
  const fresh = missing('vat', gaps, known).map(({ value, orders }) => ({ rate: value, group: '', note: say.seen(orders) }));
  const rows = [...fresh, ...vatGroups.map((row) => ({ ...row, note: '' })), { rate: '', group: '', note: '' }];
  return lines(
    rows.map(({ rate, group, note }, i) => {
      const id = `vat-${i}`;
      return html`<div class="row">${input({ id, name: 'rate', label: say.rate, value: rate, note })}${select({ id: `${id}-group`, name: 'group', label: say.group, value: group, choices: formChoices.vatGroups, unset: say.unset, names: review.choice.groups })}</div>`;
    }),
  );
}

function paymentRows({ payments }: TypedSettings, gaps: readonly ValueGap[], { store: { settings: say }, review }: Words): Html {
  const known = payments.map(({ gateway }) => gateway);
  const fresh = missing('payment', gaps, known).map(({ value, orders }) => ({ gateway: value, type: '', processor: '', note: say.seen(orders) }));
  const rows = [...fresh, ...payments.map((row) => ({ ...row, note: '' })), { gateway: '', type: '', processor: '', note: '' }];
  return lines(
    rows.map(({ gateway, type, processor, note }, i) => {
      const id = `payment-${i}`;
      const types = select({
        id: `${id}-type`,
        name: 'type',
        label: say.type,
        value: type,
        choices: formChoices.paymentTypes,
        unset: say.unset,
        names: review.choice.types,
      });
      const of = input({ id: `${id}-processor`, name: 'processor', label: say.processor, value: processor, note: '' });
      return html`<div class="row">${input({ id, name: 'gateway', label: say.gateway, value: gateway, note })}${types}${of}</div>`;
    }),
  );
}

type Input = { id: string; name: string; label: string; value: string; note: string };

function input({ id, name, label, value, note }: Input): Html {
  return html`<div class="field"><label for="${id}">${label}</label>${note === '' ? nothing : html`<p class="hint">${note}</p>`}<input id="${id}" name="${name}" value="${value}" autocomplete="off"></div>`;
}

type Select = { id: string; name: string; label: string; value: string; choices: readonly string[]; unset: string; names: Readonly<Record<string, string>> };

/** A value that is none of the choices stays one: another compliance service may take it. */
function select({ id, name, label, value, choices, unset, names }: Select): Html {
  const all = value === '' || choices.includes(value) ? choices : [...choices, value];
  const option = (text: string, words: string) => html`<option value="${text}"${attributes({ selected: text === value })}>${words}</option>`;
  return html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}">${option('', unset)}${all.map((text) => option(text, named(text, names)))}</select></div>`;
}

/** In words, with the name that files and commands have for it. */
function named(value: string, names: Readonly<Record<string, string>>): string {
  const words = ownValue(names, value);
  return words === undefined ? value : `${words} (${value})`;
}

function single({ name, kind, choices, usual }: SingleSetting, value: string, { store: { settings: say } }: Words): Html {
  const of = { id: `s-${name}`, name: `s.${name}`, label: say.names[name], value };
  if (kind === 'yes-no') {
    const option = (text: string, words: string) => html`<option value="${text}"${attributes({ selected: text === value })}>${words}</option>`;
    const as = usual === 'true' ? say.yes : say.no;
    return html`<div class="field"><label for="${of.id}">${of.label}</label><select id="${of.id}" name="${of.name}">${option('', say.usual(as))}${option('true', say.yes)}${option('false', say.no)}</select></div>\n`;
  }
  if (kind === 'choice') return html`${select({ ...of, choices, unset: say.usual(ownValue(say.choices, usual) ?? usual), names: say.choices })}\n`;
  return html`${input({ ...of, note: say.usual(usual) })}\n`;
}
