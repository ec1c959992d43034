import { z } from 'zod';

const LONGEST = 254;
const plain = z.email().max(LONGEST);

/** One e-mail address, kept as it is written; its domain may be in any script (поща.бг). */
export const emailAddress = z
  .string()
  .max(LONGEST, `must be ${LONGEST} characters at most`)
  .refine((text) => text.length > LONGEST || isPlain(text) || hasForeignDomain(text), 'must be an e-mail address')
  .meta({ format: 'email' });

function isPlain(text: string): boolean {
  return plain.safeParse(text).success;
}

// Only letters, digits, hyphens and dots: anything else could be read as a port or a path.
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;
const IN_ASCII = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(xn--[a-z0-9-]{1,59}|[a-z]{2,63})$/;

function hasForeignDomain(address: string): boolean {
  const [local = '', domain = '', ...more] = address.split('@');
  if (more.length > 0 || !DOMAIN.test(domain)) return false;
  const host = URL.parse(`http://${domain}`)?.hostname ?? '';
  return IN_ASCII.test(host) && isPlain(`${local}@shop.example`) && local.length + 1 + host.length <= LONGEST;
}
