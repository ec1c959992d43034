import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { openMailTransport } from '../../platform/mail/mail-transport.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { ComplianceService } from '../../service/compliance-service.ts';
import { addDays } from '../../service/law/months.ts';
import { sofiaDay } from '../../service/law/sofia-day.ts';
import { listRates } from '../../service/rates/list-rates.ts';
import type { CheckFinding } from './check-finding.ts';

/** A sheet older than this is not for want of working days. */
const OLD_SHEET_DAYS = 7;

type Deps = { pool: Pool; config: Config };

/** The mail server, exchange rates and audit files of our own compliance service. */
export async function checkService(deps: Deps, service: Pick<ComplianceService, 'attention'>): Promise<CheckFinding[]> {
  const { ordersWithoutRate, mails, months, outstanding } = await service.attention();
  return [await checkMail(deps, mails.failed), await checkRates(deps, ordersWithoutRate), monthsFinding(months), ...outstandingFinding(outstanding)];
}

async function checkMail({ config: { mail, dataDir, trustedHttpHosts } }: Deps, failed: number): Promise<CheckFinding> {
  const what = 'mail';
  const transport = openMailTransport({ smtpUrl: mail.smtpUrl?.reveal() ?? null, from: mail.from, outboxDir: join(dataDir, 'outbox'), trustedHttpHosts });
  const { ok, words } = await transport.check();
  if (!ok) return { what, verdict: 'wrong', words };
  if (failed > 0) return { what, verdict: 'wrong', words: `${words}; ${failed} reached no recipient: \`orderbridge service mails list --state failed\`` };
  return { what, verdict: mail.smtpUrl === null ? 'remark' : 'ok', words };
}

async function checkRates({ pool, config }: Deps, waiting: number): Promise<CheckFinding> {
  const what = 'exchange rates';
  const newest = (await listRates(pool, {}))
    .map(({ publishedOn }) => publishedOn)
    .toSorted()
    .at(-1);
  const known = newest === undefined ? 'none is stored' : `the newest are of ${newest}`;
  const source = config.bnbRatesUrl === null ? 'they are not fetched, because BNB_RATES_URL is off' : 'they are fetched daily after 18:00';
  if (waiting > 0) {
    const advice = '`orderbridge service rates fetch` or `import` gives them one';
    return { what, verdict: 'wrong', words: `${waiting} orders have no rate, which blocks the files of their months (${known}); ${advice}` };
  }
  const inTheClear = config.bnbRatesUrl?.startsWith('http://') === true ? '; over http://, where they could be changed on the way' : '';
  const isOld = newest === undefined || newest < addDays(sofiaDay(new Date().toISOString()), -OLD_SHEET_DAYS);
  return { what, verdict: isOld || inTheClear !== '' ? 'remark' : 'ok', words: `${known}; ${source}${inTheClear}. Orders in EUR and BGN need none` };
}

function monthsFinding({ blocked, late }: { blocked: number; late: number }): CheckFinding {
  const what = 'audit files';
  if (blocked + late === 0) return { what, verdict: 'ok', words: 'none is blocked, and none is late' };
  const words = `${blocked} blocked, ${late} not marked as filed after their term: \`orderbridge service audit list --shop ID\`, then \`audit show\``;
  return { what, verdict: blocked > 0 ? 'wrong' : 'remark', words };
}

function outstandingFinding(orders: number): CheckFinding[] {
  if (orders === 0) return [];
  const words = `${orders} ${orders === 1 ? 'is' : 'are'} not recorded: \`orderbridge parked\` says what to do with each`;
  return [{ what: 'paid orders', verdict: 'remark', words }];
}
