import { z } from 'zod';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { HttpProblem } from '../http/http-problem.ts';
import type { Caller } from '../keys/api-keys.ts';

const companies = rowsOf('compliance.shops', z.object({ uic: z.string() }));

/** Why a shop takes no new orders: the operator gave its company to another owner of keys. Nothing is said of that one. */
export async function companyMoved(db: Queryable, { usedKeyId }: Pick<Caller, 'usedKeyId'>, shopId: string): Promise<HttpProblem> {
  const shop = await readRow(db, companies, { text: `select details ->> 'companyUic' as uic from compliance.shops where id = $1`, values: [shopId] });
  const grant = `orderbridge service keys grant ${usedKeyId} ${shop?.uic ?? 'UIC'}`;
  return new HttpProblem(
    'company-claimed',
    'the operator of this service moved the company of this shop to another owner of keys: the shop takes no new orders; recorded ones can still be ' +
      `deleted and replaced. If the company is yours, ask the operator for \`${grant}\``,
  );
}
