import type { Pause } from '../../bridge/delivery/pauses.ts';
import type { Said } from '../../contract/said.ts';

type Paused = Pick<Pause, 'code' | 'shopId' | 'detail'>;

/** What a person does so that a paused service works again. `command`: without its program's name. */
export type Remedy = { said: Said; command: string };

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
  const other: Said = { en: `Give a key that it takes: \`orderbridge ${command}\`.`, bg: `Дайте ключ, който услугата приема: \`orderbridge ${command}\`.` };
  const right: Said = {
    en: `Have the key given the right to this shop, or give another one: \`orderbridge ${command}\`.`,
    bg: `Ключът трябва да получи право върху този обект; или дайте друг: \`orderbridge ${command}\`.`,
  };
  return { said: isOfShop ? right : other, command };
}
