import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';
import { PERSON_ROLES, type PersonRole } from '../contract/person-role.ts';
import { Secret } from './secret.ts';

const switches = { true: true, false: false, '1': true, '0': false } as const;

/** Of a variable whose value is never shown. */
export const secret = (description: string) => ({ description, secret: true });

// Messages are ours: those of zod might repeat the value.
export function number({ min, max, whole = false }: { min: number; max: number; whole?: boolean }) {
  const message = `must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}`;
  return z
    .string()
    .regex(whole ? /^\d+$/ : /^\d+(\.\d+)?$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, `must be one of ${values.join(', ')}`);
}

export function flag() {
  return z.enum(['true', 'false', '1', '0'], 'must be true, false, 1 or 0').transform((value) => switches[value]);
}

export function address(schemes: readonly string[]) {
  const message = `must be a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}, without white space`;
  // The parser adds slashes that are missing, and leaves out white space: who uses the text does not.
  const form = new RegExp(`^(${schemes.join('|')})://\\S+$`, 'i');
  return z.string().refine((value) => form.test(value) && URL.canParse(value), message);
}

// A path is appended to it, and credentials in an address end up in logs.
export function webAddress() {
  return address(['http', 'https'])
    .refine((value) => !/[?#@]/.test(value), 'must be a plain address, without user, ? or #')
    .transform((value) => value.replace(/(?<!\/)\/+$/, ''));
}

// A path with a key in it: it is neither logged nor printed.
export function secretAddress() {
  return address(['http', 'https'])
    .refine((value) => !/[#@]/.test(value), 'must be a URL without user and #')
    .pipe(secretText);
}

/** Certificates in PEM. A file of variables, or a secret of a cluster, may have "\n" for their line ends. */
export function certificates() {
  return z
    .string()
    .transform((value) => value.replaceAll(String.raw`\n`, '\n'))
    .refine(areCertificates, 'must be certificates in PEM, each whole');
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;
const MARK = /-----(?:BEGIN|END) CERTIFICATE-----/;

// TLS itself leaves out what it can't read, and says nothing.
function areCertificates(text: string): boolean {
  const blocks = text.match(CERTIFICATE) ?? [];
  return blocks.length > 0 && !MARK.test(text.replaceAll(CERTIFICATE, '')) && blocks.every(isCertificate);
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).raw.byteLength > 0;
  } catch {
    return false;
  }
}

export const secretText = z.string().transform((value) => new Secret(value));

/** An identity provider, as it names itself: a slash at the end is part of the name. Without TLS only on this machine. */
export function issuerAddress() {
  return z
    .string()
    .refine((value) => value.includes('://') && isIssuer(URL.parse(value)), 'must be a URL that starts with https:// (http:// only for localhost)')
    .refine((value) => !/[?#@\s]/.test(value), 'must be a plain address, without user, ? or #');
}

function isIssuer(url: URL | null): boolean {
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname));
}

/** The values of a variable that names several, with commas between; in lower case. */
export function listed(text = ''): string[] {
  return separate(text).map((each) => each.toLowerCase());
}

/** The same, as they were written. */
export function separate(text = ''): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** A name or an address, without port: an IPv6 address in brackets or not. */
export function isHost(text: string): boolean {
  return isIP(text.replace(/^\[(.*)\]$/, '$1')) > 0 || !/[/:\s]/.test(text);
}

const ranges: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

/** An address, a network (`10.0.0.0/8`), or the name of a range: what Express takes as a trusted proxy. */
export function isProxy(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  if (ranges.includes(text)) return true;
  const most = { 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return more.length === 0 && most > 0 && (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most));
}

const KEY_BYTES = 32;

/** Several, with commas or white space between; undefined if there is none, or one is something else. */
export function parseKeys(text: string): Buffer[] | undefined {
  const keys = text.split(/[\s,]+/).flatMap((one) => (one === '' ? [] : [parseKey(one)]));
  return keys.length > 0 && keys.every((key) => key !== undefined) ? keys : undefined;
}

/** A key of 32 bytes from 64 hex digits or base64 (either alphabet); undefined for anything else. */
function parseKey(text: string): Buffer | undefined {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return undefined;
  const key = Buffer.from(trimmed, 'base64');
  return key.byteLength === KEY_BYTES ? key : undefined;
}

/** Anyone who has this value has this role. */
export type OidcRole = { role: PersonRole; value: string };

/** The form of OIDC_ROLES. */
export function oidcRoles() {
  return z.string().transform((text, context): OidcRole[] => {
    const pairs = separate(text).map((pair) => {
      const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(pair) ?? [];
      return { role: PERSON_ROLES.find((role) => role === name.trim()), value: value.trim() };
    });
    const given = pairs.flatMap(({ role, value }) => (role === undefined || value === '' ? [] : [{ role, value }]));
    if (given.length === 0 || given.length < pairs.length) {
      const form = 'owner=VALUE,operator=VALUE';
      context.addIssue({ code: 'custom', message: `must be ${form}, with the roles ${PERSON_ROLES.join(', ')} and values that your identity provider knows` });
      return z.NEVER;
    }
    return given.toSorted((a, b) => PERSON_ROLES.indexOf(a.role) - PERSON_ROLES.indexOf(b.role));
  });
}
