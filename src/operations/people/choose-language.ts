import { updateLanguage } from '../../bridge/ledger/people-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Person } from './sessions.ts';

export function chooseLanguage({ pool }: { pool: Pool }, { id }: Pick<Person, 'id'>, lang: Person['lang']): Promise<void> {
  return updateLanguage(pool, id, lang);
}
