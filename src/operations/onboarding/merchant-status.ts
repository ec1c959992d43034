import { apiWarningOf, type Connection } from '../../bridge/connections/connection.ts';
import { type LastOrder, lastOrder } from '../../bridge/ledger/company-store.ts';
import { openOrders, settingGaps } from '../../bridge/ledger/store-figures.ts';
import type { StoreDenial } from '../../bridge/storefronts/store-failure.ts';
import type { Said } from '../../contract/said.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { ComplianceService } from '../../service/compliance-service.ts';
import { remainsInStore } from '../connections/disconnect-store.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { type ValueGap, valueGap } from '../connections/stores.ts';
import { type CheckCode, checkCodes } from '../health/check-codes.ts';
import type { FailedCheck, HealthStatus } from '../health/health-status.ts';
import { refusedAppOf } from '../health/read-stores.ts';
import { type BoardCard, monthBoard } from '../months/month-board.ts';
import { onboardingOf } from './store-means.ts';

type Deps = { pool: Pool; connections: FindConnection; service: ComplianceService | null; readHealth(): Promise<HealthStatus>; now(): Date };

/** ok: all is well. wrong: something does not work, or waits for an answer. off: it was disconnected. */
export type MerchantHealth = 'ok' | 'wrong' | 'off';

/** What a merchant sees of their own store, and of nothing else. `months` null: another service keeps them. */
export type MerchantStatus = {
  name: string;
  health: MerchantHealth;
  failedChecks: readonly Said[];
  closedAt: string | null;
  /** What will be in the store once it is disconnected, and what is if it was; with where a person deletes it. */
  remains: readonly Said[];
  recordFrom: string;
  open: { pending: number; review: number; unconfirmed: number };
  /** What their store has that nobody said the meaning of. */
  gaps: readonly ValueGap[];
  last: LastOrder | null;
  months: readonly BoardCard[] | null;
};

export async function merchantStatus(deps: Deps, connectionId: string): Promise<MerchantStatus> {
  const connection = await knownConnection(deps.connections, connectionId);
  const { id, name, closedAt, recordFrom, shopId } = connection;
  const [health, open, gaps, last, remains, months] = await Promise.all([
    deps.readHealth(),
    openOrders(deps.pool, id),
    settingGaps(deps.pool, id),
    lastOrder(deps.pool, id),
    remainsInStore(deps.pool, connection),
    deps.service === null ? null : monthBoard({ ...deps.service.audit, now: deps.now }, { allowed: [shopId], shop: shopId }),
  ]);
  const own = checksOf(health.failedChecks, connection);
  const codes = closedAt === null ? new Set(own.map(({ code }) => code)) : [];
  const failedChecks = [...codes].map((code) => merchantCheck(code, connection));
  const isWell = own.length === 0 && open.review + open.unconfirmed === 0;
  const is = closedAt !== null ? 'off' : isWell ? 'ok' : 'wrong';
  return { ...{ name, closedAt, recordFrom, open, last, failedChecks, remains }, gaps: gaps.map(valueGap), health: is, months: months?.cards ?? null };
}

/** Without any of these no store is recorded. */
const OF_ALL: ReadonlySet<CheckCode> = new Set(['database.down', 'server.down', 'queue.down', 'queue.paused']);

/** What of a health status is about the store of a connection: its own, of its shop and its compliance service, and of the app by which it came. */
function checksOf(failedChecks: readonly FailedCheck[], connection: Connection): FailedCheck[] {
  const { id, shopId, destinationId, app } = connection;
  const ids = [id, shopId, destinationId];
  return failedChecks.filter(({ code, subject }) => {
    if (OF_ALL.has(code)) return true;
    if (subject === null) return false;
    if (code === 'app.closed') return subject === app;
    // Of an app that some stores refuse, the others notice nothing.
    if (code === 'app.refused') return subject === refusedAppOf(connection);
    return ids.some((one) => subject === one || subject.startsWith(`${one} `));
  });
}

/** What a failed check is called for the merchant: whoever can mend it is named. */
function merchantCheck(code: CheckCode, { platform, warnings }: Pick<Connection, 'platform' | 'warnings'>): Said {
  if (code === 'app.refused' || code === 'app.closed') return theApp;
  const denial = code === 'store.paused' ? DENIALS.find((one) => apiWarningOf(one) in warnings) : undefined;
  if (denial !== undefined) return ofDenial[denial](onboardingOf(platform)?.title ?? platform);
  return { en: checkCodes[code].means, bg: checkCodes[code].bg };
}

const DENIALS = ['frozen', 'locked', 'blocked'] as const satisfies readonly StoreDenial[];

const ofDenial: Readonly<Record<(typeof DENIALS)[number], (platform: string) => Said>> = {
  frozen: (platform) => ({
    en: `The store is frozen until its bill at ${platform} is paid.`,
    bg: `Магазинът е замразен, докато сметката му в ${platform} не бъде платена.`,
  }),
  locked: (platform) => ({
    en: `The store is locked: its owner must ask the support of ${platform}.`,
    bg: `Магазинът е заключен: собственикът му трябва да се обърне към поддръжката на ${platform}.`,
  }),
  blocked: () => ({
    en: 'A firewall, a password or a security plugin before the store keeps us out of its API: let it through, or ask your hosting.',
    bg: 'Защитна стена, парола или модул за сигурност пред магазина не ни пуска до неговия API: разрешете достъпа или помолете хостинга.',
  }),
};

const theApp: Said = {
  en: 'The app by which the store is connected is not set up right. Whoever runs this service must mend it: there is nothing for you to do.',
  bg: 'Приложението, чрез което е свързан магазинът, не е настроено правилно. Трябва да го поправи този, който поддържа услугата: от вас не се иска нищо.',
};
