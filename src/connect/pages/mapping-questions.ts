import type { Connection } from '../../bridge/connections/connection.ts';
import type { SettingsInput } from '../../bridge/connections/connection-settings.ts';
import { settingPath } from '../../bridge/connections/setting-path.ts';
import { canonicalRate, defaultMapping, vatGroupOf } from '../../bridge/order/facts/settings.ts';
import type { StoreInspection } from '../../bridge/storefronts/onboarding.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import { PAYMENT_TYPES, VAT_GROUPS } from '../../contract/order-dto.ts';
import { ownValue } from '../../contract/own-value.ts';
import { changeSettings } from '../../operations/connections/change-settings.ts';
import { editedSettings } from '../../operations/connections/edited-settings.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Seen } from '../base/dry-run.ts';

/** known: the law or a table of well-known gateways says it. said: the settings do. asked: somebody must; `value` is then what it probably is, or ''. */
export type Basis = 'known' | 'said' | 'asked';

export type RateRow = { rate: string; group: string; basis: Basis; orders: number };
/** `title`: as customers of the store read it. `processor`: its name, where the type needs one. `isOnDelivery`: its orders are paid when they arrive. */
export type GatewayRow = { id: string; title: string | null; type: string; processor: string; basis: Basis; orders: number; isOnDelivery: boolean };
/** A status of a plugin. `isPaid`: orders in it count as paid. */
export type StatusRow = { id: string; name: string | null; orders: number; isPaid: boolean };

/** When orders that are paid on delivery count as paid. `orders`: of the last ones, so many that are on their way, and not paid yet. */
export type OnDelivery = { paidWhen: 'completed' | 'processing'; orders: number };

/** What the settings must say of a store before its orders can be recorded, and what they say by now. `onDelivery` null: nothing is paid so. */
export type Questions = { rates: RateRow[]; gateways: GatewayRow[]; statuses: StatusRow[]; onDelivery: OnDelivery | null };

type InspectedValues = Pick<StoreInspection, 'rates' | 'gateways' | 'statuses'>;
const NOTHING: InspectedValues = { rates: [], gateways: [], statuses: [] };

// The reduced rate has one group; 0 % may be exempt, zero-rated, or a store that reckons no taxes: that is for a person.
const likelyGroups: Readonly<Record<string, string>> = { '9': 'GROUP_D' };

/** Words of titles and ids, in the order in which they count. */
const likelyTypes: readonly [RegExp, string][] = [
  [/налож|куриер|еконт|спиди|\bcod\b|cash.?on.?delivery|econt|speedy/i, 'POSTAL_PAYMENT'],
  [/банков|превод|\bbacs\b|bank.?(transfer|deposit)|wire/i, 'BANK_TRANSFER'],
  [/карт|виртуален|борика|borica|\bpos\b|card/i, 'VIRTUAL_POS'],
];

const ON_DELIVERY = 'POSTAL_PAYMENT';

/** The questions of a store; `inspection` null: it says nothing of itself, and its orders alone are known. */
export function questionsOf(connection: Connection, inspection: InspectedValues | null, seen: Seen): Questions {
  const known = inspection ?? NOTHING;
  const gateways = gatewaysOf(connection, known, seen);
  const onDelivery = onDeliveryOf(connection, gateways, seen);
  return { rates: ratesOf(connection, known, seen), gateways, statuses: statusesOf(connection, known, seen), onDelivery };
}

/** Shops differ: some have the money when the order is completed, some record it when it is placed. Stores don't say it. */
function onDeliveryOf({ settings }: Connection, gateways: readonly GatewayRow[], { inTransit }: Seen): OnDelivery | null {
  const paidSo = new Set(gateways.flatMap(({ id, isOnDelivery }) => (isOnDelivery ? id : [])));
  const isSo = ({ gateways: by, isSaid }: Seen['inTransit'][number]) => isSaid || (by.length > 0 && by.every((id) => paidSo.has(id)));
  const orders = inTransit.filter((one) => isSo(one) && !settings.paidStatuses.includes(one.status)).length;
  return paidSo.size === 0 && orders === 0 ? null : { paidWhen: settings.codPaidWhen, orders };
}

/** Those that nobody answered. A payment method that is switched off, and was not used, is none. */
export function openQuestions({ rates, gateways }: Questions): number {
  return [...rates, ...gateways].filter(({ basis }) => basis === 'asked').length;
}

/** The connection as it would be with the answers that are proposed. */
export function asProposed(connection: Connection, { rates, gateways }: Questions): Connection {
  const { settings } = connection;
  const types = gateways.filter(({ basis, type }) => basis === 'asked' && type !== '' && type !== 'PAYMENT_PROCESSOR');
  const groups = rates.filter(({ basis, group }) => basis === 'asked' && group !== '');
  return {
    ...connection,
    settings: {
      ...settings,
      vatGroups: { ...settings.vatGroups, ...Object.fromEntries(groups.map(({ rate, group }) => [rate, group])) },
      payments: { ...settings.payments, ...Object.fromEntries(types.map(({ id, type }) => [id, { paymentType: type }])) },
      codGateways: [...new Set([...settings.codGateways, ...types.filter(({ isOnDelivery }) => isOnDelivery).map(({ id }) => id)])],
    },
  };
}

function ratesOf({ settings, platform }: Connection, known: InspectedValues, { rates }: Seen): RateRow[] {
  const { vatGroups } = defaultMapping(storefrontOf(storefronts, platform).gateways);
  const all = new Set([...known.rates.map(({ rate }) => canonicalRate(rate)), ...rates.keys(), ...Object.keys(settings.vatGroups ?? {}).map(canonicalRate)]);
  return [...all]
    .map((rate): RateRow => {
      const orders = rates.get(rate) ?? 0;
      const said = vatGroupOf(rate, settings.vatGroups ?? {});
      if (said !== undefined) return { rate, group: said, basis: 'said', orders };
      const law = vatGroupOf(rate, vatGroups);
      return law === undefined ? { rate, group: ownValue(likelyGroups, rate) ?? '', basis: 'asked', orders } : { rate, group: law, basis: 'known', orders };
    })
    .toSorted((a, b) => Number(b.rate) - Number(a.rate));
}

function gatewaysOf({ settings, platform }: Connection, known: InspectedValues, { gateways }: Seen): GatewayRow[] {
  const { payments } = defaultMapping(storefrontOf(storefronts, platform).gateways);
  const titles = new Map(known.gateways.map(({ id, title }) => [id, title]));
  const inUse = known.gateways.flatMap(({ id, enabled }) => (enabled ? id : []));
  const all = new Set([...inUse, ...gateways.keys(), ...Object.keys(settings.payments ?? {})]);
  return [...all]
    .map((id): GatewayRow => {
      const said = ownValue(settings.payments ?? {}, id);
      const law = ownValue(payments, id);
      const title = titles.get(id) ?? null;
      const { paymentType: type, paymentProcessorName: processor = '' } = said ?? law ?? { paymentType: likelyType(id, title) };
      const basis: Basis = said !== undefined ? 'said' : law !== undefined ? 'known' : 'asked';
      const isOnDelivery = settings.codGateways.includes(id) || (basis === 'asked' && type === ON_DELIVERY);
      return { id, title, type, processor, basis, orders: gateways.get(id) ?? 0, isOnDelivery };
    })
    .toSorted((a, b) => b.orders - a.orders || a.id.localeCompare(b.id));
}

function likelyType(id: string, title: string | null): string {
  return likelyTypes.find(([words]) => words.test(`${id} ${title ?? ''}`))?.[1] ?? '';
}

function statusesOf({ settings, platform }: Connection, known: InspectedValues, { statuses }: Seen): StatusRow[] {
  const { knowsStatus } = storefrontOf(storefronts, platform);
  if (knowsStatus === undefined) return [];
  const names = new Map(known.statuses.map(({ id, name }) => [id, name]));
  const all = new Set([...names.keys(), ...[...statuses.keys()].filter((status) => !knowsStatus(status)), ...settings.paidStatuses]);
  return [...all].map((id) => ({ id, name: names.get(id) ?? null, orders: statuses.get(id) ?? 0, isPaid: settings.paidStatuses.includes(id) }));
}

/** What somebody said of a store's rates, payment methods and statuses, as a form has it; '' : not said. */
export type MappingAnswers = {
  rates: readonly { rate: string; group: string }[];
  gateways: readonly { id: string; type: string; processor: string; isOnDelivery: boolean }[];
  paidStatuses: readonly string[];
  /** Of orders that are paid on delivery. */
  codPaidWhen: string;
};

/** What can't be taken. nameless: a payment service needs its name, a virtual POS its number. unknown: none of the choices. open: it must be said, because orders are paid so. */
export type MappingProblem = { of: 'rate' | 'gateway' | 'on-delivery'; id: string; problem: 'nameless' | 'unknown' | 'open' };

const PAID_WHEN = ['completed', 'processing'];

export function mappingProblems({ rates, gateways, codPaidWhen }: MappingAnswers): MappingProblem[] {
  const isOneOf = (known: readonly string[], value: string) => value === '' || known.includes(value);
  const isOpen = gateways.some(({ isOnDelivery }) => isOnDelivery) && !PAID_WHEN.includes(codPaidWhen);
  return [
    ...(isOpen ? [{ of: 'on-delivery' as const, id: '', problem: 'open' as const }] : []),
    ...rates.filter(({ group }) => !isOneOf(VAT_GROUPS, group)).map(({ rate: id }) => ({ of: 'rate' as const, id, problem: 'unknown' as const })),
    ...gateways.flatMap(({ id, type, processor }): MappingProblem[] => {
      if (!isOneOf(PAYMENT_TYPES, type)) return [{ of: 'gateway', id, problem: 'unknown' }];
      const isNameless = type === 'VIRTUAL_POS' ? !/\d/.test(processor) : type === 'PAYMENT_PROCESSOR' && processor === '';
      return isNameless ? [{ of: 'gateway', id, problem: 'nameless' }] : [];
    }),
  ];
}

type Deps = Parameters<typeof changeSettings>[0];
type Answered = { answers: MappingAnswers; by: Actor; mustBe(settings: string): void };

/** Takes the answers as settings of the connection; what was not said stays as it is. */
export async function answerMapping(deps: Deps, { id, settings }: Connection, { answers, by, mustBe }: Answered): Promise<Connection> {
  const changed = await changeSettings(deps, {
    id,
    by,
    changes: changesOf(answers, settings),
    firstTry: null,
    mustBe: (before) => mustBe(settingsText(before)),
  });
  return changed.connection;
}

/** Whether the settings say what was answered, such as by a press that was doubled. */
export function isAnswered({ settings }: Pick<Connection, 'settings'>, answers: MappingAnswers): boolean {
  return settingsText(editedSettings(settings, changesOf(answers, settings))) === settingsText(settings);
}

function changesOf(answers: MappingAnswers, settings: Connection['settings']): { set: string[]; unset: string[] } {
  return { set: assignments(answers, settings), unset: withoutName(answers, settings) };
}

function assignments({ rates, gateways, paidStatuses, codPaidWhen }: MappingAnswers, settings: Connection['settings']): string[] {
  const said = gateways.filter(({ type }) => type !== '');
  const named = new Set(gateways.map(({ id }) => id));
  // Gateways that the page did not ask about stay what they are.
  const onDelivery = [...settings.codGateways.filter((id) => !named.has(id)), ...gateways.filter(({ isOnDelivery }) => isOnDelivery).map(({ id }) => id)];
  return [
    ...rates.filter(({ group }) => group !== '').map(({ rate, group }) => `${settingPath(['vatGroups', rate])}=${JSON.stringify(group)}`),
    ...said.flatMap(({ id, type, processor }) => [
      `${settingPath(['payments', id, 'paymentType'])}=${JSON.stringify(type)}`,
      ...(processor === '' ? [] : [`${settingPath(['payments', id, 'paymentProcessorName'])}=${JSON.stringify(processor)}`]),
    ]),
    ...changed('codGateways', settings.codGateways, onDelivery),
    ...(PAID_WHEN.includes(codPaidWhen) && codPaidWhen !== settings.codPaidWhen ? [`codPaidWhen=${codPaidWhen}`] : []),
    ...changed('paidStatuses', settings.paidStatuses, paidStatuses),
  ];
}

function changed(name: string, before: readonly string[], after: readonly string[]): string[] {
  return JSON.stringify(before.toSorted()) === JSON.stringify(after.toSorted()) ? [] : [`${name}=${JSON.stringify(after)}`];
}

/** Names of processors that were taken away. */
function withoutName({ gateways }: MappingAnswers, { payments = {} }: Connection['settings']): string[] {
  return gateways
    .filter(({ id, type, processor }) => type !== '' && processor === '' && payments[id]?.paymentProcessorName !== undefined)
    .map(({ id }) => settingPath(['payments', id, 'paymentProcessorName']));
}

/** The settings that the page of rates and payments is about, as text: that nobody changed them meanwhile. */
export function settingsText({ vatGroups = {}, payments = {}, codGateways = ['cod'], codPaidWhen = 'completed', paidStatuses = [] }: SettingsInput): string {
  const entries = (of: Readonly<Record<string, unknown>>) => Object.entries(of).toSorted(([a], [b]) => a.localeCompare(b));
  return JSON.stringify([entries(vatGroups), entries(payments), codGateways, codPaidWhen, paidStatuses]);
}
