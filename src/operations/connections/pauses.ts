import type { Connection } from '../../bridge/connections/connection.ts';
import type { Pause } from '../../bridge/delivery/pauses.ts';
import type { StorePause } from '../../bridge/delivery/store-calls.ts';
import type { PauseCode } from '../../bridge/order/decisions/answer.ts';
import { calledStore } from '../../bridge/storefronts/store-host.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import { ownValue } from '../../contract/own-value.ts';

type Paused = Pick<Pause, 'code' | 'shopId' | 'detail'>;

/** Why nothing is sent there, as a sentence without its full stop: “the compliance service does not know this shop”. */
export function pauseReason({ code, shopId, detail }: Paused): string {
  if (code === 'compliance.misconfigured') return refusal(shopId, detail);
  return ownValue<string>(reasons, code) ?? `the compliance service is paused (${code})`;
}

const reasons = {
  'compliance.unreachable': 'the compliance service can’t be reached',
  'compliance.throttled': 'the compliance service answers that requests must wait',
  'compliance.failing': 'the compliance service fails for every order',
  'compliance.insecure': 'the address of the compliance service is http://, so that its key would be sent in the clear',
} satisfies Record<Exclude<PauseCode, 'compliance.misconfigured'>, string>;

/** The detail begins with the status that was answered. */
function refusal(shopId: string | null, detail: string): string {
  if (shopId !== null) return detail.startsWith('403') ? 'the compliance service refuses this shop' : 'the compliance service does not know this shop';
  return detail.startsWith('401') || detail.startsWith('403')
    ? 'the compliance service refuses the key'
    : 'the compliance service does not know the key, the shop or the address';
}

/** What a person does so that a paused service works again. `command`: without its program's name. */
type Remedy = { said: LocalizedText; command: string };

/** Null: it mends itself, by one order at a time that probes it. `connection`: the id of one that waits; null: not known. */
export function pauseRemedy({ code, shopId, detail }: Paused, connection: string | null): Remedy | null {
  const store = connection ?? 'STORE';
  if (code === 'compliance.insecure') return insecure;
  if (code !== 'compliance.misconfigured') return null;
  if (shopId !== null && !detail.startsWith('403')) return unknownShop;
  return refusedKey(`reconnect ${store} --compliance-key KEY --compliance-secret prompt`, shopId !== null);
}

const insecure: Remedy = {
  said: {
    en: 'Set COMPLIANCE_API_URL to an https:// address, or name its host in TRUSTED_HTTP_HOSTS if the way to it is private, and start again.',
    bg: 'Задайте в COMPLIANCE_API_URL адрес с https:// или посочете хоста в TRUSTED_HTTP_HOSTS, ако пътят до него е частен, и стартирайте отново.',
  },
  command: 'doctor',
};

const unknownShop: Remedy = {
  said: {
    en: 'Have the shop made there under this id, or make one with `orderbridge shop create` and connect the store to it; then end the pause.',
    bg: 'Обектът трябва да бъде създаден там с този идентификатор; или създайте нов с `orderbridge shop create` и свържете магазина с него. След това прекратете паузата.',
  },
  command: 'shop create --help',
};

function refusedKey(command: string, isOfShop: boolean): Remedy {
  const other: LocalizedText = {
    en: `Give a key that it takes: \`orderbridge ${command}\`.`,
    bg: `Дайте ключ, който услугата приема: \`orderbridge ${command}\`.`,
  };
  const right: LocalizedText = {
    en: `Have the key given the right to this shop, or give another one: \`orderbridge ${command}\`.`,
    bg: `Ключът трябва да получи право върху този обект; или дайте друг: \`orderbridge ${command}\`.`,
  };
  return { said: isOfShop ? right : other, command };
}

/** The pauses that keep the calls of a live connection's store waiting; those of a host concern all connections of it. */
export function pausesOfStore({ id, access, closedAt }: Connection, pauses: readonly StorePause[]): StorePause[] {
  if (access === null || closedAt !== null) return [];
  const { host } = calledStore(id, access);
  return pauses.filter((pause) => pause.host === host && (pause.connectionId === null || pause.connectionId === id));
}

export function storePauseWords({ host, code, detail, since, until }: StorePause): string {
  return `${code}: calls of the store’s API at ${host} are paused since ${since} (${detail}); the next call is at ${until}, or when an order needs it`;
}
