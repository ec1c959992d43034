import type { Migration } from '../../../platform/postgres/migrate.ts';
import { facts } from './009/facts.ts';
import { turns } from './009/turns.ts';
import { upkeep, withoutPrefix } from './009/upkeep.ts';

/** Rows that are small, in tables whose growth costs nothing. */
export const narrow: Migration = {
  version: 9,
  name: 'narrow',
  sql: withoutPrefix + facts + turns + upkeep,
};
