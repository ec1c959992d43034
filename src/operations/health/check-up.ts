import { askOutside, type MailCheck } from '../verdict/ask-outside.ts';
import type { VerdictDeps } from '../verdict/look.ts';
import { readVerdict } from '../verdict/read-verdict.ts';
import { type CheckComplianceDeps, checkCompliance } from './check-compliance.ts';
import { checkConnections, subscriptionRemarks } from './check-connections.ts';
import type { CheckFinding } from './check-finding.ts';
import { checkConfiguration, goodDatabase, goodQueue } from './check-ground.ts';
import { type CheckLiveDeps, checkLive } from './check-live.ts';
import { checkSecrets } from './check-secrets.ts';
import { type CheckShopsDeps, checkShops } from './check-shops.ts';
import { goodService } from './good-service.ts';
import { reasonFinding } from './reason-finding.ts';

/** `isOwn`: our own compliance service is used, and none beside it. */
export type CheckUpDeps = CheckComplianceDeps & CheckShopsDeps & CheckLiveDeps & Omit<VerdictDeps, 'outside'> & { mail: MailCheck; isOwn: boolean };

/** Checks everything that orderbridge depends on: the reasons of the verdict, what is right, and what is worth knowing. */
export async function checkUp(given: CheckUpDeps): Promise<CheckFinding[]> {
  const deps = { ...given, mail: once(given.mail) };
  // A warning that no longer holds ends here, so that the verdict does not have it.
  await checkShops(deps).catch(() => []);
  const { reasons } = await readVerdict({ ...deps, outside: () => askOutside(deps) });
  const configuration = checkConfiguration(deps.config);
  if (reasons.some(({ code }) => code === 'database.down')) return [configuration, ...reasons.map((one) => reasonFinding(one, []))];
  const connections = await deps.connections.list();
  const told = reasons.map((reason) => reasonFinding(reason, connections));
  const isTold = ({ what }: Pick<CheckFinding, 'what'>) => told.some((finding) => finding.what === what);
  const good = [
    ...(isTold({ what: 'database' }) ? [] : [await goodDatabase(deps)]),
    ...(isTold({ what: 'queue' }) ? [] : [await goodQueue(deps.queues)]),
    ...(deps.isOwn ? await goodService(deps) : []),
    ...goodThings,
  ].filter((finding) => !isTold(finding));
  const besides = [await checkCompliance(deps), await checkLive(deps, reasons), await subscriptionRemarks(deps), await checkConnections(deps)].flat();
  const secrets = (await checkSecrets(deps)).filter((finding) => finding.verdict !== 'wrong' && (finding.verdict !== 'ok' || !isTold(finding)));
  return [configuration, ...told, ...good, ...besides, ...secrets];
}

const goodThings: readonly CheckFinding[] = [
  { what: 'store APIs', verdict: 'ok', words: 'none is paused' },
  { what: 'webhooks', verdict: 'ok', words: 'no store’s are refused one after the other, and nothing is known to be wrong with those of any store' },
  { what: 'clock', verdict: 'ok', words: 'in step with the database, and the compliance API if that gives its time' },
];

/** The names of the checks that failed, each once. */
export function wrongThings(findings: readonly CheckFinding[]): string[] {
  return [...new Set(findings.filter(({ verdict }) => verdict === 'wrong').map(({ what }) => what))];
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return () => {
    known ??= read();
    return known;
  };
}
