import { domainToASCII } from 'node:url';

const LOCAL = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/;
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
const LONGEST = 254;

/** One plain address in the form that mail servers take, its domain in ASCII; null for anything else, such as a list or a name. */
export function plainAddress(text: string): string | null {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  const local = trimmed.slice(0, Math.max(0, at));
  const domain = domainToASCII(trimmed.slice(at + 1)).toLowerCase();
  const address = `${local}@${domain}`;
  return LOCAL.test(local) && DOMAIN.test(domain) && address.length <= LONGEST ? address : null;
}

/** The part after the @ of an address, in ASCII. */
export function domainOf(address: string): string {
  return domainToASCII(address.slice(address.lastIndexOf('@') + 1)).toLowerCase();
}
