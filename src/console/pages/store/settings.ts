import { z } from 'zod';
import { type ConnectionSettings, connectionSettings, readSettings, type SettingsInput } from '../../../bridge/connections/connection-settings.ts';
import type { ValueGap } from '../../../bridge/ledger/connections/store-figures.ts';
import { PAYMENT_TYPES, VAT_GROUPS } from '../../../contract/order-dto.ts';
import { ownValue } from '../../../contract/own-value.ts';
import { changeSettings, previewSettings, type SettingsPreview } from '../../../operations/connections/change-settings.ts';
import { type SettingDifference, settingsDifference, showSettings } from '../../../operations/connections/show-settings.ts';
import { Refusal } from '../../../operations/refusal.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import type { Form, GoTo, Page, PageContext, Reply, Shown } from '../../base/page.ts';
import { field, seen, seenOf, table } from '../../frame/parts.ts';
import { mustBeSeen } from '../../frame/stale.ts';
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

/** What a form may choose from; another compliance service may take other values, too. */
const formChoices = { vatGroups: VAT_GROUPS, paymentTypes: PAYMENT_TYPES };

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

function formPage({ words }: PageContext, store: ShownStore, { typed, seen: made, why, problems }: Filled): Shown {
  const { settings: say } = words.store;
  return {
    status: problems.length === 0 ? 200 : 422,
    title: say.title(store.name),
    place: 'stores',
    body: html`${wayBack(store, words)}${wrong(problems, say.wrong)}<form method="post" action="${addressOf(store)}/settings">${seenAs(made)}
${settingsFields({ typed, gaps: store.gapsOfSettings, why, words })}<p class="verbs"><button name="step" value="preview">${say.preview}</button></p>
</form>
`,
  };
}

function seenAs(made: string): Html {
  return html`<input type="hidden" name="seen" value="${made}">`;
}

function wrong(problems: readonly string[], words: string): Html {
  if (problems.length === 0) return nothing;
  return html`<div class="banner failing" role="alert"><h2>${words}</h2><ul>${lines(problems.map((problem) => html`<li>${problem}</li>`))}</ul></div>
`;
}

async function act(context: PageContext, form: Form): Promise<Reply> {
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

async function previewPage({ deps, words }: PageContext, store: ShownStore, { typed, settings, why }: Wanted): Promise<Shown> {
  const { settings: say } = words.store;
  const preview = await previewSettings(deps, { id: store.connectionId, settings });
  const isSame = preview.difference.length === 0;
  return {
    title: say.title(store.name),
    place: 'stores',
    body: html`${wayBack(store, words)}${previewView(preview, words)}<form method="post" action="${addressOf(store)}/settings">${seen(preview.before)}${hiddenForm(typed)}<input type="hidden" name="why" value="${why}">
<p class="verbs">${isSame ? nothing : html`<button name="step" value="save">${say.save}</button>`}<button class="second" name="step" value="edit">${say.edit}</button></p>
</form>
`,
  };
}

type Saving = { settings: SettingsInput; why: string; isMine(before: SettingsInput): void };

async function save({ deps, by }: PageContext, store: ShownStore, { settings, why, isMine }: Saving): Promise<GoTo> {
  const patience = { waitMs: FIRST_MS };
  const { again } = await changeSettings(deps, { id: store.connectionId, by, settings, patience, mustBe: isMine, ...(why === '' ? {} : { why }) });
  const done = again.notReleased === undefined ? 'settingsSaved' : 'settingsNotReleased';
  return { goTo: addressOf(store), done };
}

type FormView = { typed: TypedSettings; gaps: readonly ValueGap[]; why: string; words: Words };

/** The fields of all settings: those that orders wait for come first, and empty rows for more. */
function settingsFields({ typed, gaps, why, words }: FormView): Html {
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
    columns: [{ name: say.setting }, { name: say.before }, { name: say.after }],
    rows: difference.map(({ path, before, after }) => [html`<code>${path}</code>`, marked(before, say.unset), marked(after, say.unset)]),
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
  const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}">`;
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
  const groups = typed.vatGroups.filter(({ group }) => group !== '').map(({ rate, group }) => [rate.replace(/\s*%$/, ''), group]);
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
