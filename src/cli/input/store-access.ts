import { connectOptions } from '../../bridge/storefronts/connect-options.ts';
import type { PlatformOptions, StoreAccess, Storefront } from '../../bridge/storefronts/contract.ts';
import { withoutEndSlashes } from '../../bridge/storefronts/store-host.ts';
import { ownValue } from '../../contract/own-value.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { readSecret } from './read-secret.ts';

/** One credential of a store's API, as a flag of `connect`. */
type CredentialFlag = { name: string; flag: string; placeholder: string; words: string };
/** Flags by their name in camel case, as they were typed. */
type Typed = Readonly<Record<string, unknown>>;

/** The flags of every platform's credentials; platforms that use the same name share one. */
export function credentialFlags(): CredentialFlag[] {
  const all = Object.values<PlatformOptions>(connectOptions).flatMap(flagsOf);
  return [...new Map(all.map((flag) => [flag.name, flag])).values()];
}

function flagsOf({ api }: PlatformOptions): CredentialFlag[] {
  return Object.entries(api?.credentials ?? {}).map(([name, { placeholder, words }]) => ({ name, flag: flagOf(name), placeholder, words }));
}

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Credentials as they were typed, by flag. */
export function typedCredentials(typed: Typed): Record<string, string> {
  return Object.fromEntries(
    credentialFlags().flatMap(({ name, flag }) => {
      const value = ownValue(typed, name);
      return typeof value === 'string' ? [[flag, value]] : [];
    }),
  );
}

type Wanted = {
  storefront: Storefront;
  url: string | undefined;
  typed: Typed;
  /** What the connection has: whatever is not typed stays. */
  before?: StoreAccess | null;
};

/** Address and credentials of the store's API; null: none were typed, or an address alone, which says only where the store is. */
export async function readStoreAccess(context: CliContext, { storefront, url, typed, before = null }: Wanted): Promise<StoreAccess | null> {
  if (url !== undefined && !isWebAddress(url)) throw new CliError('--store-url must be an address that starts with https:// or http://');
  const own = flagsOf(storefront);
  const given = typedCredentials(typed);
  refuseForeign(storefront, own, given);
  const typedOwn = own.filter(({ flag }) => given[flag] !== undefined);
  // A platform whose API needs no key is read as soon as its address is given.
  if (storefront.api === undefined || (typedOwn.length === 0 && (url === undefined || (before === null && own.length > 0)))) return null;
  const address = url ?? before?.url;
  const sets = (storefront.api?.credentialSets ?? [own.map(({ name }) => name)]).map((names) => own.filter(({ name }) => names.includes(name)));
  const set = sets.find((flags) => typedOwn.length > 0 && typedOwn.every((flag) => flags.includes(flag))) ?? keptSet(sets, before);
  const isWhole = set?.every(({ name, flag }) => given[flag] !== undefined || ownValue(before ?? {}, name) !== undefined) === true;
  if (address === undefined || !isWhole) throw new CliError(togetherWords(sets));
  const credentials: Record<string, string> = {};
  // One after the other: a person may be asked for each.
  for (const { name, flag } of typedOwn) credentials[name] = await readSecret(context, flag, given[flag] ?? '');
  const kept = set.flatMap(({ name }) => (ownValue(before ?? {}, name) === undefined ? [] : [[name, ownValue(before ?? {}, name) ?? '']]));
  // Without keys it is the address of the very thing that is read, which stays as it was typed.
  return { ...Object.fromEntries(kept), ...credentials, url: own.length === 0 ? address : withoutEndSlashes(address) };
}

/** The credentials that the connection has already. */
function keptSet(sets: readonly CredentialFlag[][], before: StoreAccess | null): CredentialFlag[] | undefined {
  return sets.find((set) => set.every(({ name }) => ownValue(before ?? {}, name) !== undefined)) ?? (sets.length === 1 ? sets[0] : undefined);
}

function togetherWords(sets: readonly CredentialFlag[][]): string {
  const [first = [], ...more] = sets;
  if (more.length === 0) return `${list(['--store-url', ...first.map(({ flag }) => flag)])} go together: give ${all(first.length + 1)}, or none`;
  return `--store-url goes together with ${sets.map((set) => list(set.map(({ flag }) => flag))).join(', or with ')}`;
}

function refuseForeign({ name }: Storefront, own: readonly CredentialFlag[], given: Record<string, string>): void {
  const foreign = Object.keys(given).filter((flag) => !own.some((known) => known.flag === flag));
  if (foreign.length === 0) return;
  const takes = own.length === 0 ? 'no API credentials' : list(own.map(({ flag }) => flag));
  throw new CliError(`a ${name} store takes ${takes}: leave out ${list(foreign)}`);
}

function isWebAddress(text: string): boolean {
  const protocol = URL.parse(text)?.protocol;
  return protocol === 'https:' || protocol === 'http:';
}

function list(flags: readonly string[]): string {
  return flags.length === 1 ? flags.join('') : `${flags.slice(0, -1).join(', ')} and ${flags.at(-1)}`;
}

function all(count: number): string {
  return count === 2 ? 'both' : `all ${count === 3 ? 'three' : count}`;
}
