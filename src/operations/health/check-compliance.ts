import type { ComplianceClient, Endpoint, RecordReader } from '../../bridge/client/port.ts';
import { type Connection, SHOP_WARNING } from '../../bridge/connections/connection.ts';
import type { Destination } from '../../bridge/ledger/destination-store.ts';
import type { Reply } from '../../bridge/order/decisions/answer.ts';
import type { Config } from '../../config/config.ts';
import { errorWords } from '../../platform/error-words.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { ComplianceAccess } from '../compliance-access.ts';
import { verifyShop } from '../connections/verify-credentials.ts';
import { Refusal } from '../refusal.ts';
import { type MailCheck, NIL_UUID } from './ask-outside.ts';
import type { CheckFinding } from './check-finding.ts';
import { newestSheet } from './read-service.ts';

export type CheckComplianceDeps = {
  config: Config;
  connections: { list(): Promise<Connection[]> };
  destinations: { find(id: string): Promise<Destination | null> };
  access: ComplianceAccess;
  client: Pick<ComplianceClient, 'deleteOrder'>;
};

/** Calls it with the configured key, and with each other key of a connected store. */
export async function checkCompliance(deps: CheckComplianceDeps): Promise<CheckFinding[]> {
  const { config, access, client } = deps;
  const keys = [...(hasKey(config) ? [{ who: 'the configured key', endpoint: () => access.endpoint(null) }] : []), ...(await otherKeys(deps))];
  if (keys.length === 0)
    return [{ what: 'compliance API', result: 'remark', words: 'not checked: there is no key yet, neither configured nor of a connected store' }];
  return Promise.all(keys.map((one) => deleteNil(client, one)));
}

type CheckedKey = { who: string; endpoint(): Promise<Endpoint> };

/** Deleting what can't exist changes nothing and needs valid credentials: 404 is the right answer. */
async function deleteNil(client: CheckComplianceDeps['client'], { who, endpoint }: CheckedKey): Promise<CheckFinding> {
  try {
    const where = await endpoint();
    return complianceFinding(`${where.baseUrl}, ${who}`, await client.deleteOrder(where, NIL_UUID));
  } catch (thrown) {
    return { what: 'compliance API', result: 'wrong', words: `${who}: ${errorWords(thrown)}` };
  }
}

function hasKey({ compliance }: Config): boolean {
  return compliance.kind === 'embedded' || compliance.apiKey !== null;
}

/** Null: its address is refused, which the check of the configured key reports. */
async function configuredDestination(access: ComplianceAccess): Promise<string | null> {
  return access.destination(null).catch((thrown: unknown) => {
    if (thrown instanceof Refusal) return null;
    throw thrown;
  });
}

async function otherKeys({ connections, destinations, config, access }: CheckComplianceDeps): Promise<CheckedKey[]> {
  const configured = hasKey(config) ? await configuredDestination(access) : null;
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

function complianceFinding(who: string, reply: Reply): CheckFinding {
  const what = 'compliance API';
  if (reply.kind !== 'answered') return { what, result: 'wrong', words: `${who}: no answer (${reply.error}); check COMPLIANCE_API_URL` };
  const { status, detail } = reply;
  if (status === 404) return { what, result: 'ok', words: `${who}: answers, and takes the key` };
  const answer = `${who}: answered ${status}, expected 404${detail === '' ? '' : ` (${detail})`}`;
  if (status === 401 || status === 403) return { what, result: 'wrong', words: `${answer}; check the key, the secret and the signature settings below` };
  return { what, result: 'wrong', words: `${answer}; check COMPLIANCE_API_URL, or try again later` };
}

export type CheckShopsDeps = {
  connections: { list(): Promise<Connection[]>; endWarning(id: string, kind: string): Promise<boolean> };
  destinations: { find(id: string): Promise<Destination | null> };
  access: ComplianceAccess;
  client: Pick<ComplianceClient & RecordReader, 'knowsShop'>;
};

/** Asks again about the shops that the compliance service did not know when their store was connected; the warning of one that it knows ends. */
export async function checkShops({ connections, destinations, access, client }: CheckShopsDeps): Promise<CheckFinding[]> {
  const warned = (await connections.list()).filter(({ closedAt, warnings }) => closedAt === null && warnings[SHOP_WARNING] !== undefined);
  const findings: CheckFinding[] = [];
  for (const { id, shopId, destinationId } of warned) {
    const destination = await destinations.find(destinationId);
    if (destination === null) continue;
    const words = await verifyShop(client, await access.endpointOf(destination), shopId);
    if (words === null) await connections.endWarning(id, SHOP_WARNING);
    else if (words !== undefined) findings.push({ what: 'compliance shop', result: 'wrong', words: `${id}: ${words}` });
  }
  return findings;
}

type Deps = { pool: Pool; config: Config; mail: MailCheck };

/** What is known of the mail server, exchange rates and audit files of our own compliance service, where nothing is wrong with them. */
export async function passedServiceChecks(deps: Deps): Promise<CheckFinding[]> {
  return [await goodMail(deps), await goodRates(deps), { what: 'audit files', result: 'ok', words: 'none is blocked, and none is late' }];
}

async function goodMail({ config, mail }: Deps): Promise<CheckFinding> {
  const { ok, words } = await mail();
  return { what: 'mail', result: ok && config.mail.smtpUrl !== null ? 'ok' : 'remark', words };
}

async function goodRates({ pool, config: { bnbRatesUrl } }: Deps): Promise<CheckFinding> {
  const sheet = await newestSheet(pool);
  const known = sheet === null ? 'none is stored' : `the newest are of ${sheet}`;
  const source = bnbRatesUrl === null ? 'they are not fetched, because BNB_RATES_URL is off' : 'they are fetched daily after 18:00';
  const inTheClear = bnbRatesUrl?.startsWith('http://') === true ? '; over http://, where they could be changed on the way' : '';
  const isSure = sheet !== null && bnbRatesUrl !== null && inTheClear === '';
  return { what: 'exchange rates', result: isSure ? 'ok' : 'remark', words: `${known}; ${source}${inTheClear}. Orders in EUR and BGN need none` };
}
