import type { Connection } from '../../bridge/connections/connection.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { ComplianceService } from '../../service/compliance-service.ts';
import { checkClock } from './check-clock.ts';
import { type CheckComplianceDeps, checkCompliance } from './check-compliance.ts';
import { checkConnections, checkDeliveries, checkStores, checkSubscriptions } from './check-connections.ts';
import type { CheckFinding } from './check-finding.ts';
import { checkConfiguration, checkDashboard, checkDatabase, checkPaused, checkQueue, type QueueToCheck } from './check-ground.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkService } from './check-service.ts';
import { type CheckShopsDeps, checkShops } from './check-shops.ts';

/** `service` null: another compliance service than ours is used. */
export type CheckUpDeps = CheckComplianceDeps &
  CheckShopsDeps & {
    pool: Pool;
    connections: { list(): Promise<Connection[]> };
    queues: QueueToCheck;
    service: Pick<ComplianceService, 'attention'> | null;
  };

/** Checks everything that orderbridge depends on, one after the other. Throws only if the database is down. */
export async function checkUp(deps: CheckUpDeps): Promise<CheckFinding[]> {
  const { config, queues, service } = deps;
  return [
    checkConfiguration(config),
    ...checkDashboard(config),
    await checkDatabase(deps),
    await checkQueue(queues),
    ...(await checkPaused(queues)),
    ...(await checkCompliance(deps)),
    ...(await checkShops(deps)),
    ...(service === null ? [] : await checkService(deps, service)),
    ...(await checkStores(deps)),
    ...(await checkSubscriptions(deps)),
    ...(await checkSecrets(deps)),
    ...(await checkConnections(deps)),
    ...(await checkDeliveries(deps)),
    ...(await checkClock(deps)),
  ];
}

/** The names of the checks that failed, each once. */
export function wrongThings(findings: readonly CheckFinding[]): string[] {
  return [...new Set(findings.filter(({ verdict }) => verdict === 'wrong').map(({ what }) => what))];
}
