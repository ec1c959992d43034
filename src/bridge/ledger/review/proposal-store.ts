import { z } from 'zod';
import { isUuid } from '../../../contract/uuid.ts';
import type { Actor } from '../../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { isoText, readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import type { IssueKey } from './review-groups.ts';

const answer = z.object({ value: z.string().nullable(), name: z.string().nullable() });

/** What is said of one setting; value null: nothing is set. */
export type ProposalAnswer = z.output<typeof answer>;

const kept = z.object({
  id: z.string(),
  connectionId: z.string(),
  code: z.string(),
  pattern: z.string(),
  answers: z.array(answer),
  was: z.array(answer),
  note: z.string(),
  who: z.string(),
  at: z.string(),
  endedAs: z.enum(['accepted', 'declined', 'replaced']).nullable(),
  endedBy: z.string().nullable(),
  endedAt: z.string().nullable(),
  reason: z.string().nullable(),
  isAsked: z.boolean(),
});

/** Answers to an issue that somebody proposed. `was`: what was set then. `reason`: why it was declined. `isAsked`: some order still waits. Instants in ISO 8601. */
export type KeptProposal = z.output<typeof kept>;

const rows = rowsOf('proposals', kept);
const idRow = rowsOf('proposals', z.object({ id: z.string() }));

const COLUMNS = `p.id, p.connection_id as "connectionId", p.code, p.pattern, p.answers, p.was, p.note, p.who, ${isoText('p.at')} as at,
  p.ended_as as "endedAs", p.ended_by as "endedBy", ${isoText('p.ended_at')} as "endedAt", p.reason,
  exists (select 1 from review_orders a where a.connection_id = p.connection_id and a.code = p.code and a.pattern = p.pattern) as "isAsked"`;

export type NewProposal = IssueKey & { answers: readonly ProposalAnswer[]; was: readonly ProposalAnswer[]; note: string; who: Actor; about: unknown };

/** Keeps a proposal in place of an open one about the same issue. `about`: what it would set, for the audit log. Returns its id. */
export function insertProposal(pool: Pool, { connectionId, code, pattern, answers, was, note, who, about }: NewProposal): Promise<string> {
  return inTransaction(pool, async (tx) => {
    const issue = [connectionId, code, pattern];
    // Two at once: the second one waits for the first, and replaces it.
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`proposals ${JSON.stringify(issue)}`]);
    await tx.query(
      `update proposals set ended_as = 'replaced', ended_by = $4, ended_at = now() where connection_id = $1 and code = $2 and pattern = $3 and ended_at is null`,
      [...issue, who],
    );
    const { id } = await readOne(tx, idRow, {
      text: 'insert into proposals (connection_id, code, pattern, answers, was, note, who) values ($1, $2, $3, $4, $5, $6, $7) returning id',
      values: [...issue, JSON.stringify(answers), JSON.stringify(was), note, who],
    });
    const why = note === '' ? {} : { why: note };
    await writeBridgeActs(tx, [{ who, act: 'answer.proposed', connectionId, subject: id, after: about, ...why }]);
    return id;
  });
}

export function openProposals(pool: Pool): Promise<KeptProposal[]> {
  return readRows(pool, rows, { text: `select ${COLUMNS} from proposals p where p.ended_at is null order by p.at`, values: [] });
}

/** The newest one about an issue, open or ended; null: there is none. */
export function lastProposal(pool: Pool, { connectionId, code, pattern }: IssueKey): Promise<KeptProposal | null> {
  return readRow(pool, rows, {
    text: `select ${COLUMNS} from proposals p where p.connection_id = $1 and p.code = $2 and p.pattern = $3 order by p.at desc limit 1`,
    values: [connectionId, code, pattern],
  });
}

export function findProposal(pool: Pool, id: string): Promise<KeptProposal | null> {
  if (!isUuid(id)) return Promise.resolve(null);
  return readRow(pool, rows, { text: `select ${COLUMNS} from proposals p where p.id = $1`, values: [id] });
}

type End = { id: string; as: 'accepted' | 'declined'; by: Actor; reason: string };

/** False: it had ended before. */
export function endProposal(pool: Pool, end: End): Promise<boolean> {
  return inTransaction(pool, (tx) => endIn(tx, end));
}

/** Ends it once the work is done; nobody else takes, declines or replaces it meanwhile. Null: it had ended before, and nothing was done. */
export function endAfter<Done>(pool: Pool, end: End, work: () => Promise<Done>): Promise<Done | null> {
  return inTransaction(pool, async (tx) => {
    const open = await tx.query('select from proposals where id = $1 and ended_at is null for update', [end.id]);
    if (open.rowCount === 0) return null;
    const done = await work();
    await endIn(tx, end);
    return done;
  });
}

async function endIn(tx: Queryable, { id, as, by, reason }: End): Promise<boolean> {
  const ended = await readRow(tx, rows, {
    text: `update proposals p set ended_as = $2, ended_by = $3, ended_at = now(), reason = nullif($4, '') where p.id = $1 and p.ended_at is null returning ${COLUMNS}`,
    values: [id, as, by, reason],
  });
  if (ended === null) return false;
  const why = reason === '' ? {} : { why: reason };
  const act = as === 'accepted' ? 'answer.accepted' : 'answer.declined';
  await writeBridgeActs(tx, [{ who: by, act, connectionId: ended.connectionId, subject: id, after: { proposedBy: ended.who }, ...why }]);
  return true;
}
