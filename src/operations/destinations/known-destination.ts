import type { DestinationStore, ListedDestination } from '../../bridge/ledger/destination-store.ts';
import { Refusal } from '../refusal.ts';

export type ListDestinations = Pick<DestinationStore, 'list'>;

/** Our own service has no address of its own. */
export function addressWords({ baseUrl }: Pick<ListedDestination, 'baseUrl'>): string {
  return baseUrl ?? 'our own service';
}

/** The shortest beginning of an id that is taken for it. */
const LEAST = 4;

/** The compliance service that a person names: by the beginning of its id, or its address; undefined: the only one. */
export async function knownDestination(destinations: ListDestinations, named: string | undefined): Promise<ListedDestination> {
  const all = await destinations.list();
  const [found, ...others] = named === undefined ? all : all.filter((one) => isNamed(one, named));
  if (found === undefined) {
    const what =
      named === undefined
        ? { en: 'no compliance service is known yet', bg: 'още не е известна услуга за отчитане' }
        : { en: `no compliance service has the id or the address ${named}`, bg: `няма услуга за отчитане с идентификатор или адрес ${named}` };
    throw new Refusal('missing', what, { advice: { en: '`orderbridge destinations` lists them', bg: '`orderbridge destinations` ги показва' } });
  }
  if (others.length === 0) return found;
  throw new Refusal(
    'conflict',
    { en: `${named ?? 'it'} may be one of several compliance services`, bg: `${named ?? 'това'} може да е една от няколко услуги за отчитане` },
    {
      advice: { en: 'say which by its id', bg: 'посочете коя с идентификатора ѝ' },
      choices: { header: ['address', 'key', 'id'], rows: [found, ...others].map((one) => [addressWords(one), one.keyEnd, one.id]) },
    },
  );
}

function isNamed({ id, baseUrl }: ListedDestination, named: string): boolean {
  return id === named || baseUrl === named || (named.length >= LEAST && id.startsWith(named));
}
