import { storeHost } from '../bridge/storefronts/store-host.ts';
import { isPlainName } from '../contract/text.ts';
import { Refusal } from './refusal.ts';

/** Refuses a name that would lead somewhere in the mails in which it is written, or that is more than a line. */
export function refuseName(name: string): void {
  if (isPlainName(name)) return;
  throw new Refusal('invalid', {
    en: 'a name must be one line, without web and e-mail addresses, telephone numbers and hidden characters',
    bg: 'името трябва да е на един ред, без уеб и имейл адреси, телефонни номера и скрити знаци',
    advice: { en: 'if it has no address, put a space after each dot', bg: 'ако в него няма адрес, сложете интервал след всяка точка' },
  });
}

/** The same for a store, which may be called by its own address. `own`: the addresses that are known as its own. */
export function refuseStoreName(name: string, own: readonly (string | null | undefined)[]): void {
  const host = /[\s/?#@\\]/.test(name) ? null : storeHost(name);
  if (host === null || !own.some((address) => address != null && storeHost(address) === host)) refuseName(name);
}
