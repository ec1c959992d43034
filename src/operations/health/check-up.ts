import { errorWords } from '../../platform/error-words.ts';
import { askOutside, type MailCheck } from '../verdict/ask-outside.ts';
import type { VerdictDeps } from '../verdict/look.ts';
import { readVerdict } from '../verdict/read-verdict.ts';
import { checkConfiguration, goodDatabase, goodQueue } from './check-basics.ts';
import { type CheckComplianceDeps, checkCompliance } from './check-compliance.ts';
import { checkConnections, checkStores, subscriptionRemarks } from './check-connections.ts';
import type { CheckFinding } from './check-finding.ts';
import { type CheckLiveDeps, checkLive } from './check-live.ts';
import { type CheckedProvider, checkProvider } from './check-provider.ts';
import { checkSecrets } from './check-secrets.ts';
import { type CheckShopsDeps, checkShops } from './check-shops.ts';
import { passedServiceChecks } from './good-service.ts';
import { reasonFinding } from './reason-finding.ts';

/** `isOwn`: our own compliance service is used, and none beside it. */
export type CheckUpDeps = CheckComplianceDeps & CheckShopsDeps & CheckLiveDeps & Omit<VerdictDeps, 'outside'> & More;
type More = { mail: MailCheck; isOwn: boolean; provider?: CheckedProvider | null };

/** Checks everything that orderbridge depends on: the reasons of the verdict, what is right, and what is worth knowing. */
export async function checkUp(given: CheckUpDeps): Promise<CheckFinding[]> {
  const deps = { ...given, mail: once(given.mail) };
  // A warning that no longer holds ends here, so that the verdict does not have it.
  await checkShops(deps).catch(() => []);
  const api = await guarded('compliance API', () => checkCompliance(deps));
  const { reasons } = await readVerdict({ ...deps, outside: () => askOutside(deps) });
  const configuration = checkConfiguration(deps.config);
  if (reasons.some(({ code }) => code === 'database.down')) return [configuration, ...reasons.map((one) => reasonFinding(one, []))];
  const connections = await deps.connections.list();
  const told = reasons.map((reason) => reasonFinding(reason, connections));
  const isTold = ({ what }: Pick<CheckFinding, 'what'>) => told.some((finding) => finding.what === what);
  const good = [...(await goodBasics(deps, isTold)), ...passedChecks].filter((finding) => !isTold(finding));
  const besides = [
    api,
    await guarded('connection', () => checkLive(deps, reasons)),
    await guarded('webhooks', () => subscriptionRemarks(deps)),
    await guarded('orders', () => checkConnections(deps)),
    await guarded('sign-in', () => checkProvider(deps.provider ?? null)),
  ];
  const secrets = (await checkSecrets(deps)).filter((finding) => finding.verdict !== 'wrong' && (finding.verdict !== 'ok' || !isTold(finding)));
  return [configuration, ...told, ...good, ...besides.flat(), ...secrets];
}

async function goodBasics(deps: CheckUpDeps, isTold: (what: Pick<CheckFinding, 'what'>) => boolean): Promise<CheckFinding[]> {
  const ground = [
    isTold({ what: 'database' }) ? [] : await guarded('database', async () => [await goodDatabase(deps)]),
    isTold({ what: 'queue' }) ? [] : await guarded('queue', async () => [await goodQueue(deps.queues)]),
    isTold({ what: 'store APIs' }) ? [] : await guarded('store APIs', () => checkStores(deps)),
    deps.isOwn ? await guarded('compliance service', () => passedServiceChecks(deps)) : [],
  ];
  return ground.flat();
}

/** What can't be looked at is wrong, and keeps nothing else from being told. */
async function guarded(what: string, check: () => Promise<CheckFinding[]>): Promise<CheckFinding[]> {
  return check().catch((thrown: unknown) => [{ what, verdict: 'wrong', words: `this could not be checked (${errorWords(thrown)})` }]);
}

const passedChecks: readonly CheckFinding[] = [
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
