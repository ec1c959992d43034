import { keyIdOf, noSuchKey, SealBroken, type SealedPlace, type Sealer, sealer, wrongKey } from './seal.ts';

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
  /** The purpose of marks, whose key is never replaced. */
  marks: string;
  /** A text names a key that is not known: another process may have made it since. */
  onUnknown?(): void;
  /** What this row has does not open, nor will it. */
  onBroken?(place: SealedPlace): void;
  /** Why nothing is sealed; null: it is. */
  problem?: string | null;
};

/** A key that so many readings of all keys did not bring does not exist. Of two one began after the key was missed. */
const SURE = 2;

/** In a row. What a browser brings anyone may make up. */
const isStored = ({ table }: SealedPlace): boolean => table.includes('.');

export function keyring({ purposeOf, digests, marks, onUnknown, onBroken, problem = null }: Rules): Keyring {
  /** By id: how many readings of all keys did not bring it since it was missed. */
  const missed = new Map<string, number>();
  let known: ReadonlyMap<string, Sealer> = new Map();
  let current: ReadonlyMap<string, Sealer> = new Map();

  const sealerFor = (purpose: string): Sealer => current.get(purpose) ?? wrongKey(problem ?? `there is no data key for ${purpose}`);
  const of = (place: SealedPlace): Sealer => sealerFor(purposeOf(place));
  function opener(sealed: string | Buffer, place: SealedPlace): Sealer {
    const id = keyIdOf(sealed);
    const found = known.get(id);
    if (found !== undefined) return found;
    const times = missed.get(id);
    if (times !== undefined && times >= SURE) return noSuchKey();
    if (times === undefined && isStored(place)) missed.set(id, 0);
    onUnknown?.();
    return wrongKey();
  }
  function named<Opened>(place: SealedPlace, open: () => Opened): Opened {
    try {
      return open();
    } catch (thrown) {
      if (thrown instanceof SealBroken && !thrown.mayOpen && isStored(place)) onBroken?.(place);
      throw thrown;
    }
  }

  return {
    sealerFor,
    take(keys) {
      known = new Map(keys.map(({ id, key }) => [id, known.get(id) ?? sealer(key, id)]));
      for (const [id, times] of missed) {
        if (known.has(id)) missed.delete(id);
        else missed.set(id, times + 1);
      }
      current = new Map(keys.flatMap(({ id, purpose, isCurrent }) => (isCurrent ? [[purpose, known.get(id) as Sealer]] : [])));
    },
    seal: (text, place) => of(place).seal(text, place),
    open: (sealed, place) => named(place, () => opener(sealed, place).open(sealed, place)),
    sealBytes: (bytes, place) => of(place).sealBytes(bytes, place),
    openBytes: (sealed, place) => named(place, () => opener(sealed, place).openBytes(sealed, place)),
    keyFor: (place) => of(place).keyFor(place),
    digest: (text) => sealerFor(digests).digest(text),
    mark: (text) => sealerFor(marks).mark(text),
  };
}
