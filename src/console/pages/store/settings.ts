import { z } from 'zod';
import { type ConnectionSettings, connectionSettings, readSettings, type SettingsInput } from '../../../bridge/connections/connection-settings.ts';
import type { ValueGap } from '../../../bridge/ledger/connections/store-figures.ts';
import { PAYMENT_TYPES, VAT_GROUPS } from '../../../contract/order-dto.ts';
import { ownValue } from '../../../contract/own-value.ts';
import { changeSettings, previewSettings, type SettingsPreview } from '../../../operations/connections/change-settings.ts';
import { type SettingDifference, settingsDifference, showSettings } from '../../../operations/connections/show-settings.ts';
import { Refusal } from '../../../operations/refusal.ts';
import { button, field, formTo, hidden, mustBeSeen, problemList, seenOf } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { table } from '../../../web/tables.ts';
import type { Form, GoTo, Page, PageContext, PageReply, ShownPage } from '../../base/page.ts';
import type { Words } from '../../messages/messages.ts';
import { addressOf, type ShownStore, storeOf, wayBack } from './store-parts.ts';

/** Longer than the first of many orders usually takes; a browser waits for it. */
const FIRST_MS = 8_000;

const property = z.object({
  type: z.string().optional(),
  format: z.string().optional(),
  enum: z.array(z.string()).optional(),
  anyOf: z.array(z.object({ enum: z.array(z.string()).optional(), type: z.string().optional() })).optional(),
  default: z.unknown().optional(),
});
const schema = z.object({ properties: z.record(z.string(), property) });

/** `GET, POST /console/stores/ID/settings`: a form, what it would change, and the change. */
export const settingsPage: Page = {
  path: '/stores/:id/settings',
  right: 'settings.change',
  async get(context) {
    const [store, { written }] = await found(context);
    return formPage(context, store, { typed: typedSettings(written), seen: seenOf(written), why: '', problems: [] });
  },
  post: { right: 'settings.change', act },
};

async function found(context: PageContext): Promise<[ShownStore, { written: SettingsInput }]> {
  const store = await storeOf(context);
  return [store, await showSettings(context.deps, store.connectionId)];
}

/** `seen`: which settings the form was made from. */
type Filled = { typed: TypedSettings; seen: string; why: string; problems: readonly string[] };

function formPage({ words }: PageContext, store: ShownStore, { typed, seen: made, why, problems }: Filled): ShownPage {
  const { settings: say } = words.store;
  const fields = settingsFields({ typed, gaps: store.gapsOfSettings, why, words });
  return {
    status: problems.length === 0 ? 200 : 422,
    title: say.title(store.name),
    place: 'stores',
    body: html`${wayBack(store, words)}${problemList(say.wrong, problems)}${formTo(`${addressOf(store)}/settings`, { hidden: { seen: made }, body: fields, buttons: [button(say.preview, { name: 'step', value: 'preview' })] })}`,
  };
}

async function act(context: PageContext, form: Form): Promise<PageReply> {
  const [store, { written }] = await found(context);
  const typed = readForm(form);
  const filled = { typed, seen: form.text('seen'), why: form.text('why') };
  if (form.text('step') === 'edit') return formPage(context, store, { ...filled, problems: [] });
  const read = settingsOfForm(typed, written);
  const isMine = (settings: SettingsInput) => mustBe(context, form, { settings, wanted: read.ok ? read.settings : {} });
  isMine(written);
  if (!read.ok) return formPage(context, store, { ...filled, problems: read.problems.map((problem) => problem[context.words.lang]) });
  try {
    if (form.text('step') !== 'save') return await previewPage(context, store, { ...filled, settings: read.settings });
    return await save(context, store, { settings: read.settings, why: filled.why, isMine });
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.kind === 'invalid') return formPage(context, store, { ...filled, problems: [thrown.said[context.words.lang]] });
    throw thrown;
  }
}

/** Both sides of a form that is out of date: what it would make, and what is there, as far as they differ. */
function mustBe({ words }: PageContext, form: Form, { settings, wanted }: { settings: SettingsInput; wanted: SettingsInput }): void {
  const sent = differenceLines(settingsDifference(settings, wanted), words);
  const now = differenceLines(settingsDifference(wanted, settings), words);
  mustBeSeen(form, settings, { sent, now });
}

type Wanted = Omit<Filled, 'problems'> & { settings: SettingsInput };

async function previewPage({ deps, words }: PageContext, store: ShownStore, { typed, settings, why }: Wanted): Promise<ShownPage> {
  const { settings: say } = words.store;
  const preview = await previewSettings(deps, { id: store.connectionId, settings });
  const isSame = preview.difference.length === 0;
  const step = (value: string, label: string, more = {}) => button(label, { ...more, name: 'step', value });
  const buttons = [...(isSame ? [] : [step('save', say.save)]), step('edit', say.edit, { class: 'second' })];
  return {
    title: say.title(store.name),
    place: 'stores',
    body: html`${wayBack(store, words)}${previewView(preview, words)}${formTo(`${addressOf(store)}/settings`, { seen: preview.before, hidden: { why }, body: hiddenForm(typed), buttons })}`,
  };
}

type Saving = { settings: SettingsInput; why: string; isMine(before: SettingsInput): void };

async function save({ deps, by }: PageContext, store: ShownStore, { settings, why, isMine }: Saving): Promise<GoTo> {
  const firstTry = { waitMs: FIRST_MS };
  const { again } = await changeSettings(deps, { id: store.connectionId, by, settings, firstTry, mustBe: isMine, ...(why === '' ? {} : { why }) });
  const done = again.notReleased === undefined ? 'settingsSaved' : 'settingsNotReleased';
  return { goTo: addressOf(store), done };
}

/** The fields of all settings: those that orders wait for come first, and empty rows for more. */
function settingsFields({ typed, gaps, why, words }: { typed: TypedSettings; gaps: readonly ValueGap[]; why: string; words: Words }): Html {
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
  const fresh = missing('vat', gaps, known).map(({ value, orders }) => ({ rate: value, group: '', hint: say.seen(orders) }));
  const rows: { rate: string; group: string; hint?: string }[] = [...fresh, ...vatGroups, { rate: '', group: '' }];
  return lines(
    rows.map(({ rate, group, hint }, i) => {
      const id = `vat-${i}`;
      const options = named(VAT_GROUPS, review.choice.groups);
      return html`<div class="row">${field({ id, name: 'rate', label: say.rate, value: rate, hint, autocomplete: 'off' })}${field({ id: `${id}-group`, name: 'group', label: say.group, value: group, options, none: say.unset })}</div>`;
    }),
  );
}

function paymentRows({ payments }: TypedSettings, gaps: readonly ValueGap[], { store: { settings: say }, review }: Words): Html {
  const known = payments.map(({ gateway }) => gateway);
  const fresh = missing('payment', gaps, known).map(({ value, orders }) => ({ gateway: value, type: '', processor: '', hint: say.seen(orders) }));
  const rows: { gateway: string; type: string; processor: string; hint?: string }[] = [...fresh, ...payments, { gateway: '', type: '', processor: '' }];
  return lines(
    rows.map(({ gateway, type, processor, hint }, i) => {
      const id = `payment-${i}`;
      const options = named(PAYMENT_TYPES, review.choice.types);
      const types = field({ id: `${id}-type`, name: 'type', label: say.type, value: type, options, none: say.unset });
      const { name: label, nameHint } = review.choice;
      const of = field({ id: `${id}-processor`, name: 'processor', label, hint: nameHint, value: processor, autocomplete: 'off' });
      return html`<div class="row">${field({ id, name: 'gateway', label: say.gateway, value: gateway, hint, autocomplete: 'off' })}${types}${of}</div>`;
    }),
  );
}

/** In words, with the name that files and commands have for it. */
function named(values: readonly string[], names: Readonly<Record<string, string>>): (readonly [string, string])[] {
  return values.map((value) => {
    const words = ownValue(names, value);
    return [value, words === undefined ? value : `${words} (${value})`];
  });
}

function single({ name, kind, choices, usual }: SingleSetting, value: string, { store: { settings: say } }: Words): Html {
  const of = { id: `s-${name}`, name: `s.${name}`, label: say.names[name], value };
  const yesNo = [['true', say.yes] as const, ['false', say.no] as const];
  if (kind === 'yes-no') return html`${field({ ...of, options: yesNo, none: say.usual(usual === 'true' ? say.yes : say.no) })}\n`;
  if (kind === 'choice') return html`${field({ ...of, options: named(choices, say.choices), none: say.usual(ownValue(say.choices, usual) ?? usual) })}\n`;
  return html`${field({ ...of, hint: say.usual(usual), autocomplete: 'off' })}\n`;
}

/** What new settings would change, and which orders are looked at again. */
function previewView({ difference, concerned, warnings }: SettingsPreview, words: Words): Html {
  const { settings: say } = words.store;
  if (difference.length === 0) return html`<p>${say.nothing}</p>\n`;
  const review = Object.values(concerned.review).reduce((sum, count) => sum + count, 0);
  return html`<h2>${say.saved}</h2>
${differences(difference, words)}<p><strong>${say.effect(review, concerned.ignored, concerned.waiting)}</strong> ${concerned.isMore ? say.isMore : ''} ${
    review > 20 ? say.oneFirst : ''
  }</p>
${warnings.length === 0 ? nothing : html`<ul class="banner attention">${lines(warnings.map((warning) => html`<li>${warning[words.lang]}</li>`))}</ul>\n`}`;
}

function differences(difference: readonly SettingDifference[], { store: { settings: say } }: Words): Html {
  return table({
    caption: say.saved,
    columns: [
      { name: say.setting, cell: ({ path }) => html`<code>${path}</code>` },
      { name: say.before, cell: ({ before }) => marked(before, say.unset) },
      { name: say.after, cell: ({ after }) => marked(after, say.unset) },
    ],
    rows: difference,
  });
}

function marked(value: unknown, unset: string): Html {
  return value === undefined ? html`${unset}` : html`<code>${shown(value, unset)}</code>`;
}

/** Settings in a line each, for somebody whose form is out of date. */
function differenceLines(difference: readonly SettingDifference[], { store: { settings: say } }: Words): string {
  return difference.map(({ path, after }) => `${path}: ${shown(after, say.unset)}`).join('\n');
}

function shown(value: unknown, unset: string): string {
  if (value === undefined) return unset;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The settings that a form of ours says. */
function readForm(form: Form): TypedSettings {
  const rows = (names: readonly string[]): string[][] => {
    const columns = names.map((name) => form.all(name).map((text) => text.trim()));
    return (columns[0] ?? []).map((_first, i) => columns.map((column) => column[i] ?? ''));
  };
  return {
    single: Object.fromEntries(singleSettings().map(({ name }) => [name, form.text(`s.${name}`)])),
    vatGroups: rows(['rate', 'group']).map(([rate = '', group = '']) => ({ rate, group })),
    payments: rows(['gateway', 'type', 'processor']).map(([gateway = '', type = '', processor = '']) => ({ gateway, type, processor })),
  };
}

/** The same in fields that are not shown, for the step after the preview. */
function hiddenForm({ single, vatGroups, payments }: TypedSettings): Html {
  return html`${Object.entries(single).map(([name, value]) => hidden(`s.${name}`, value))}${vatGroups.map(
    ({ rate, group }) => html`${hidden('rate', rate)}${hidden('group', group)}`,
  )}${payments.map(({ gateway, type, processor }) => html`${hidden('gateway', gateway)}${hidden('type', type)}${hidden('processor', processor)}`)}`;
}

/** A setting that has one value: how it is given, and its default as text ('' : none). */
type SingleSetting = {
  name: Exclude<keyof ConnectionSettings, 'vatGroups' | 'payments'>;
  kind: 'choice' | 'yes-no' | 'number' | 'list' | 'text' | 'instant';
  choices: readonly string[];
  usual: string;
};

/** Settings as a form has them: texts, '' where one is as usual. */
export type TypedSettings = {
  single: Readonly<Partial<Record<SingleSetting['name'], string>>>;
  vatGroups: readonly { rate: string; group: string }[];
  payments: readonly { gateway: string; type: string; processor: string }[];
};

/** Every setting with one value, in the order of the schema. */
export function singleSettings(): SingleSetting[] {
  const { properties } = schema.parse(z.toJSONSchema(connectionSettings, { io: 'input' }));
  return Object.entries(properties).flatMap(([name, described]) => (isSingle(name) ? [{ name, ...kindOf(described), usual: textOf(described.default) }] : []));
}

function isSingle(name: string): name is SingleSetting['name'] {
  return name !== 'vatGroups' && name !== 'payments' && Object.hasOwn(connectionSettings.shape, name);
}

function kindOf({ type, format, enum: values, anyOf = [] }: z.output<typeof property>): Pick<SingleSetting, 'kind' | 'choices'> {
  const choices = values ?? anyOf.flatMap((each) => each.enum ?? []);
  if (choices.length > 0) return { kind: 'choice', choices };
  if (type === 'boolean') return { kind: 'yes-no', choices: [] };
  if (type === 'number') return { kind: 'number', choices: [] };
  if (type === 'array') return { kind: 'list', choices: [] };
  return { kind: format === 'date-time' ? 'instant' : 'text', choices: [] };
}

/** Settings as they are written, for a form. */
export function typedSettings(written: SettingsInput): TypedSettings {
  const { vatGroups = {}, payments = {}, ...rest } = written;
  return {
    single: Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, textOf(value)])),
    vatGroups: Object.entries(vatGroups).map(([rate, group]) => ({ rate, group })),
    payments: Object.entries(payments).map(([gateway, { paymentType: type, paymentProcessorName: processor = '' }]) => ({ gateway, type, processor })),
  };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** The settings that a form says; what it shows unchanged stays as it is written. Every problem with its path. */
export function settingsOfForm(typed: TypedSettings, written: SettingsInput): ReturnType<typeof readSettings> {
  const before = typedSettings(written).single;
  const singles = singleSettings().flatMap(({ name, kind }): [string, unknown][] => {
    const text = typed.single[name] ?? '';
    if (text === (before[name] ?? '')) return written[name] === undefined ? [] : [[name, written[name]]];
    return text === '' ? [] : [[name, typedValue(kind, text)]];
  });
  const groups = typed.vatGroups.filter(({ group }) => group !== '').map(({ rate, group }) => [rate.replace(/(?<!\s)\s*%$/, ''), group]);
  const payments = typed.payments
    .filter(({ type }) => type !== '')
    .map(({ gateway, type, processor }) => [gateway, { paymentType: type, ...(processor === '' ? {} : { paymentProcessorName: processor }) }]);
  return readSettings({
    ...(groups.length === 0 ? {} : { vatGroups: Object.fromEntries(groups) }),
    ...(payments.length === 0 ? {} : { payments: Object.fromEntries(payments) }),
    ...Object.fromEntries(singles),
  });
}

function typedValue(kind: SingleSetting['kind'], text: string): unknown {
  if (kind === 'number') return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (kind === 'yes-no') return text === 'true';
  if (kind === 'list') return text.split(',').flatMap((part) => (part.trim() === '' ? [] : part.trim()));
  return text;
}
