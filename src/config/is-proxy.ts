import { isIP } from 'node:net';

const ranges: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

/** An address, a network (`10.0.0.0/8`), or the name of a range: what Express takes as a trusted proxy. */
export function isProxy(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  if (ranges.includes(text)) return true;
  const most = { 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return more.length === 0 && most > 0 && (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most));
}
