import type { Connection } from '../../bridge/connections/connection.ts';
import { defaultMapping } from '../../bridge/order/mapping.ts';
import { canonicalRate, vatGroupOf } from '../../bridge/order/vat-groups.ts';
import type { Survey } from '../../bridge/storefronts/onboarding.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import { ownValue } from '../../contract/own-value.ts';
import type { Seen } from './rehearse.ts';

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

type Known = Pick<Survey, 'rates' | 'gateways' | 'statuses'>;
const NOTHING: Known = { rates: [], gateways: [], statuses: [] };

// The reduced rate has one group; 0 % may be exempt, zero-rated, or a store that reckons no taxes: that is for a person.
const likelyGroups: Readonly<Record<string, string>> = { '9': 'GROUP_D' };

/** Words of titles and ids, in the order in which they count. */
const likelyTypes: readonly [RegExp, string][] = [
  [/налож|куриер|еконт|спиди|\bcod\b|cash.?on.?delivery|econt|speedy/i, 'POSTAL_PAYMENT'],
  [/банков|превод|\bbacs\b|bank.?(transfer|deposit)|wire/i, 'BANK_TRANSFER'],
  [/карт|виртуален|борика|borica|\bpos\b|card/i, 'VIRTUAL_POS'],
];

const ON_DELIVERY = 'POSTAL_PAYMENT';

/** The questions of a store; `survey` null: it says nothing of itself, and its orders alone are known. */
export function questionsOf(connection: Connection, survey: Known | null, seen: Seen): Questions {
  const known = survey ?? NOTHING;
  const gateways = gatewaysOf(connection, known, seen);
  const onDelivery = onDeliveryOf(connection, gateways, seen);
  return { rates: ratesOf(connection, known, seen), gateways, statuses: statusesOf(connection, known, seen), onDelivery };
}

/** Shops differ: some have the money when the order is completed, some record it when it is placed. Stores don't say it. */
function onDeliveryOf({ settings }: Connection, gateways: readonly GatewayRow[], { onTheWay }: Seen): OnDelivery | null {
  const paidSo = new Set(gateways.flatMap(({ id, isOnDelivery }) => (isOnDelivery ? id : [])));
  const isSo = ({ gateways: by, isSaid }: Seen['onTheWay'][number]) => isSaid || (by.length > 0 && by.every((id) => paidSo.has(id)));
  const orders = onTheWay.filter((one) => isSo(one) && !settings.paidStatuses.includes(one.status)).length;
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

function ratesOf({ settings, platform }: Connection, known: Known, { rates }: Seen): RateRow[] {
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

function gatewaysOf({ settings, platform }: Connection, known: Known, { gateways }: Seen): GatewayRow[] {
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

function statusesOf({ settings, platform }: Connection, known: Known, { statuses }: Seen): StatusRow[] {
  const { knowsStatus } = storefrontOf(storefronts, platform);
  if (knowsStatus === undefined) return [];
  const names = new Map(known.statuses.map(({ id, name }) => [id, name]));
  const all = new Set([...names.keys(), ...[...statuses.keys()].filter((status) => !knowsStatus(status)), ...settings.paidStatuses]);
  return [...all].map((id) => ({ id, name: names.get(id) ?? null, orders: statuses.get(id) ?? 0, isPaid: settings.paidStatuses.includes(id) }));
}
