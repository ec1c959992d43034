import type { Config } from '../../config/config.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { MailCheck } from '../verdict/ask-outside.ts';
import { newestSheet } from '../verdict/read-service.ts';
import type { CheckFinding } from './check-finding.ts';

type Deps = { pool: Pool; config: Config; mail: MailCheck };

/** What is known of the mail server, exchange rates and audit files of our own compliance service, where nothing is wrong with them. */
export async function passedServiceChecks(deps: Deps): Promise<CheckFinding[]> {
  return [await goodMail(deps), await goodRates(deps), { what: 'audit files', verdict: 'ok', words: 'none is blocked, and none is late' }];
}

async function goodMail({ config, mail }: Deps): Promise<CheckFinding> {
  const { ok, words } = await mail();
  return { what: 'mail', verdict: ok && config.mail.smtpUrl !== null ? 'ok' : 'remark', words };
}

async function goodRates({ pool, config: { bnbRatesUrl } }: Deps): Promise<CheckFinding> {
  const sheet = await newestSheet(pool);
  const known = sheet === null ? 'none is stored' : `the newest are of ${sheet}`;
  const source = bnbRatesUrl === null ? 'they are not fetched, because BNB_RATES_URL is off' : 'they are fetched daily after 18:00';
  const inTheClear = bnbRatesUrl?.startsWith('http://') === true ? '; over http://, where they could be changed on the way' : '';
  const isSure = sheet !== null && bnbRatesUrl !== null && inTheClear === '';
  return { what: 'exchange rates', verdict: isSure ? 'ok' : 'remark', words: `${known}; ${source}${inTheClear}. Orders in EUR and BGN need none` };
}
