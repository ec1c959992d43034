import { apiWarningOf, type Connection } from '../../bridge/connections/connection.ts';
import type { StoreDenial } from '../../bridge/storefronts/store-failure.ts';
import type { Said } from '../../contract/said.ts';
import { refusedAppOf } from '../verdict/read-apps.ts';
import { type ReasonCode, reasonCodes } from '../verdict/reason-codes.ts';
import type { Reason } from '../verdict/verdict.ts';
import { onboardingOf } from './store-means.ts';

/** Without any of these no store is recorded. */
const OF_ALL: ReadonlySet<ReasonCode> = new Set(['database.down', 'server.down', 'queue.down', 'queue.paused']);

/** What of a verdict is about the store of a connection: its own, of its shop and its compliance service, and of the app by which it came. */
export function reasonsOf(reasons: readonly Reason[], connection: Connection): Reason[] {
  const { id, shopId, destinationId, app } = connection;
  const ids = [id, shopId, destinationId];
  return reasons.filter(({ code, subject }) => {
    if (OF_ALL.has(code)) return true;
    if (subject === null) return false;
    if (code === 'app.closed') return subject === app;
    // Of an app that some stores refuse, the others notice nothing.
    if (code === 'app.refused') return subject === refusedAppOf(connection);
    return ids.some((one) => subject === one || subject.startsWith(`${one} `));
  });
}

/** What a reason is called for the merchant: whoever can mend it is named. */
export function merchantReason(code: ReasonCode, { platform, warnings }: Pick<Connection, 'platform' | 'warnings'>): Said {
  if (code === 'app.refused' || code === 'app.closed') return theApp;
  const denial = code === 'store.paused' ? DENIALS.find((one) => apiWarningOf(one) in warnings) : undefined;
  if (denial !== undefined) return ofDenial[denial](onboardingOf(platform)?.title ?? platform);
  return { en: reasonCodes[code].means, bg: reasonCodes[code].bg };
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
