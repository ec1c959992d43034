import type { Core } from '../app/core.ts';
import { openQueues } from '../app/queues.ts';
import { createComplianceClient } from '../bridge/client/create-compliance-client.ts';
import type { ComplianceClient, Endpoint } from '../bridge/client/port.ts';
import { inspectDatabase } from '../bridge/ledger/inspect-database.ts';
import type { Reply } from '../bridge/order/outcome.ts';
import type { Config } from '../config/config.ts';
import { errorWords } from '../platform/error-words.ts';
import { redisSettings } from '../platform/queue/redis-settings.ts';
import { within } from '../platform/within.ts';
import type { ComplianceAccess } from './compliance-access.ts';

/** wrong: it does not work, or may lose something. remark: worth knowing. */
export type Finding = { what: string; verdict: 'ok' | 'remark' | 'wrong'; words: string };

const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const QUEUE_MS = 5_000;
const MOST_SKEW_MS = 60_000;

/** An invalid configuration never gets here. */
export function checkConfiguration({ database, queue, compliance, dataDir }: Config): Finding {
  return {
    what: 'configuration',
    verdict: 'ok',
    words: `valid; database ${database.kind}, queue on ${queue.kind}, compliance API ${compliance.kind}, DATA_DIR ${dataDir}`,
  };
}

export async function checkDatabase({ pool, config }: Core): Promise<Finding> {
  const { version, fsync, synchronousCommit } = await inspectDatabase(pool);
  const what = 'database';
  if (fsync !== 'on') return { what, verdict: 'wrong', words: `PostgreSQL ${version} with fsync ${fsync}: a power cut destroys the ledger; set fsync on` };
  if (synchronousCommit === 'off') {
    return { what, verdict: 'wrong', words: `PostgreSQL ${version} with synchronous_commit off: a crash forgets what was recorded; set it on` };
  }
  return { what, verdict: 'ok', words: `PostgreSQL ${version}${config.database.kind === 'embedded' ? ', embedded in DATA_DIR' : ''}, tables up to date` };
}

export async function checkQueue(core: Core): Promise<Finding> {
  await using queues = openQueues(core);
  const what = 'queue';
  try {
    await within(QUEUE_MS, queues.deliveries.getJobCounts('waiting'));
    const { redis } = queues.system;
    if (redis === null) return { what, verdict: 'ok', words: 'BullMQ runs on PostgreSQL, because REDIS_URL is unset; for production set it' };
    const { version, problems, remarks } = await within(QUEUE_MS, redisSettings(redis));
    if (problems.length > 0) return { what, verdict: 'wrong', words: `Redis ${version}: ${problems.join('; ')}` };
    if (remarks.length > 0) return { what, verdict: 'remark', words: `Redis ${version}: ${remarks.join('; ')}` };
    return { what, verdict: 'ok', words: `Redis ${version}, appendonly yes, appendfsync always, noeviction` };
  } catch (thrown) {
    return { what, verdict: 'wrong', words: `no answer (${errorWords(thrown)}); check REDIS_URL, and that Redis runs` };
  }
}

/** Asks with the configured key, and with each other key of a connected store. */
export async function checkCompliance(core: Core, access: ComplianceAccess): Promise<Finding[]> {
  await using client = createComplianceClient({ timeouts: core.config.timeouts });
  const asked = [...(hasKey(core.config) ? [{ who: 'the configured key', endpoint: () => access.endpoint(null) }] : []), ...(await otherKeys(core, access))];
  if (asked.length === 0)
    return [{ what: 'compliance API', verdict: 'remark', words: 'not asked: there is no key yet, neither configured nor of a connected store' }];
  return Promise.all(asked.map((one) => askNil(client, one)));
}

type Asked = { who: string; endpoint(): Promise<Endpoint> };

/** Deleting what can't exist changes nothing and needs valid credentials: 404 is the right answer. */
async function askNil(client: ComplianceClient, { who, endpoint }: Asked): Promise<Finding> {
  try {
    const where = await endpoint();
    return complianceFinding(`${where.baseUrl}, ${who}`, await client.deleteOrder(where, NIL_UUID));
  } catch (thrown) {
    return { what: 'compliance API', verdict: 'wrong', words: `${who}: ${errorWords(thrown)}` };
  }
}

function hasKey({ compliance }: Config): boolean {
  return compliance.kind === 'embedded' || compliance.apiKey !== null;
}

async function otherKeys({ connections, destinations, config }: Core, access: ComplianceAccess): Promise<Asked[]> {
  const configured = hasKey(config) ? await access.destination(null) : null;
  const live = (await connections.list()).filter(({ closedAt, destinationId }) => closedAt === null && destinationId !== configured);
  return [...new Map(live.map(({ destinationId, name }) => [destinationId, name]))].map(([id, name]) => ({
    who: `the key of ${name}`,
    endpoint: async () => {
      const destination = await destinations.find(id);
      if (destination === null) throw new Error(`destination ${id} is not in the ledger`);
      return access.endpointOf(destination);
    },
  }));
}

function complianceFinding(who: string, reply: Reply): Finding {
  const what = 'compliance API';
  if (reply.kind !== 'answered') return { what, verdict: 'wrong', words: `${who}: no answer (${reply.error}); check COMPLIANCE_API_URL` };
  const { status, detail } = reply;
  if (status === 404) return { what, verdict: 'ok', words: `${who}: answers, and takes the key` };
  const answer = `${who}: answered ${status} where 404 was due${detail === '' ? '' : ` (${detail})`}`;
  if (status === 401 || status === 403) return { what, verdict: 'wrong', words: `${answer}; check the key, the secret and the signature settings below` };
  return { what, verdict: 'wrong', words: `${answer}; check COMPLIANCE_API_URL, or try again later` };
}

/** Compared with the database and, where it tells, with the compliance API; signatures with a time are good for 5 minutes. */
export async function checkClock({ pool, config: { compliance } }: Core): Promise<Finding[]> {
  const ofDatabase = clockFinding('the database', await skew(async () => (await inspectDatabase(pool)).now));
  if (compliance.kind === 'embedded') return [ofDatabase];
  return [ofDatabase, clockFinding('the compliance API', await skew(() => dateOf(compliance.baseUrl)))];
}

/** The time in the answer to the same harmless request, without a key: only its Date is read. */
async function dateOf(address: string): Promise<string | null> {
  try {
    const { headers } = await fetch(`${address}/public-api/v1/order/${NIL_UUID}`, {
      method: 'DELETE',
      redirect: 'manual',
      signal: AbortSignal.timeout(QUEUE_MS),
    });
    return headers.get('date');
  } catch {
    // That it can't be reached is told by its own check.
    return null;
  }
}

/** Milliseconds that we are ahead; null if the other does not tell. */
async function skew(ask: () => Promise<string | null>): Promise<number | null> {
  const began = Date.now();
  const told = await ask();
  return told === null ? null : (began + Date.now()) / 2 - Date.parse(told);
}

function clockFinding(whose: string, ahead: number | null): Finding {
  const what = 'clock';
  if (ahead === null || Number.isNaN(ahead)) return { what, verdict: 'remark', words: `${whose} does not tell its time` };
  const seconds = Math.round(Math.abs(ahead) / 1000);
  if (Math.abs(ahead) <= MOST_SKEW_MS) return { what, verdict: 'ok', words: `${seconds} s off the clock of ${whose}` };
  return { what, verdict: 'wrong', words: `${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} the clock of ${whose}: synchronize this machine's clock (NTP)` };
}
