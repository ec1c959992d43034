import { keyIdOf, type SealedPlace, type Sealer, sealer, wrongKey } from './seal.ts';

/** A key for one purpose. Of each purpose one is current, and seals; others only open. */
export type DataKey = { id: string; purpose: string; key: Buffer; isCurrent: boolean };

/** A sealer of many keys: what is stored in a place names its key, and is sealed with the current one of the place's purpose. */
export type Keyring = Sealer & {
  /** Knows these keys from now on, and no others. */
  take(keys: readonly DataKey[]): void;
  /** The sealer of a purpose, whatever the place. Throws `SealBroken` if there is no such key. */
  sealerFor(purpose: string): Sealer;
};

type Rules = {
  purposeOf(place: Omit<SealedPlace, 'id'>): string;
  /** The purpose of digests. */
  digests: string;
  /** A text names a key that is not known: another process may have made it since. */
  onUnknown?(): void;
  /** Why nothing is sealed; null: it is. */
  problem?: string | null;
};

export function keyring({ purposeOf, digests, onUnknown, problem = null }: Rules): Keyring {
  let known: ReadonlyMap<string, Sealer> = new Map();
  let current: ReadonlyMap<string, Sealer> = new Map();

  const sealerFor = (purpose: string): Sealer => current.get(purpose) ?? wrongKey(true, problem ?? `there is no data key for ${purpose}`);
  const of = (place: SealedPlace): Sealer => sealerFor(purposeOf(place));
  function opener(sealed: string | Buffer): Sealer {
    const found = known.get(keyIdOf(sealed));
    if (found !== undefined) return found;
    onUnknown?.();
    return wrongKey(true);
  }

  return {
    sealerFor,
    take(keys) {
      known = new Map(keys.map(({ id, key }) => [id, known.get(id) ?? sealer(key, id)]));
      current = new Map(keys.flatMap(({ id, purpose, isCurrent }) => (isCurrent ? [[purpose, known.get(id) as Sealer]] : [])));
    },
    seal: (text, place) => of(place).seal(text, place),
    open: (sealed, place) => opener(sealed).open(sealed, place),
    sealBytes: (bytes, place) => of(place).sealBytes(bytes, place),
    openBytes: (sealed, place) => opener(sealed).openBytes(sealed, place),
    keyFor: (place) => of(place).keyFor(place),
    digest: (text) => sealerFor(digests).digest(text),
  };
}
