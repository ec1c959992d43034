import type { Connection } from '../../bridge/connections/connection.ts';
import type { AppStore, StoredApp } from '../../bridge/ledger/app-store.ts';
import type { Config } from '../../config/config.ts';
import { isWeakSecret } from '../connections/secret-problem.ts';
import { secretWarnings } from '../connections/secret-warnings.ts';
import type { CheckFinding } from './check-finding.ts';

type Deps = {
  config: Pick<Config, 'trustedHttpHosts' | 'appSecrets'>;
  connections: { list(): Promise<Connection[]> };
  apps: Pick<AppStore, 'list'>;
};

const what = 'secrets';

/** Whether the secrets of each live connection, and of each app, open, are long enough, and are sent only where nobody can read them. */
export async function checkSecrets({ config, connections, apps }: Deps): Promise<CheckFinding[]> {
  const live = (await connections.list()).filter(({ closedAt }) => closedAt === null);
  const findings = [
    ...live.flatMap((connection) => findingsOf(connection, config.trustedHttpHosts)),
    ...(await apps.list()).flatMap(ofApp),
    ...ofVariables(config),
  ];
  return findings.length > 0 ? findings : [{ what, verdict: 'ok', words: 'those of every connection open, and are long enough' }];
}

function findingsOf(connection: Connection, trusted: readonly string[]): CheckFinding[] {
  const { wrong, weak } = secretWarnings(connection, trusted);
  const finding = (verdict: CheckFinding['verdict']) => (words: string) => ({ what, verdict, words: `${connection.id}: ${words}` });
  return [...wrong.map(finding('wrong')), ...weak.map(finding('remark'))];
}

function ofApp({ id, unopened }: StoredApp): CheckFinding[] {
  return unopened === null ? [] : [{ what, verdict: 'wrong', words: `app ${id}: ${unopened}` }];
}

function ofVariables({ appSecrets }: Deps['config']): CheckFinding[] {
  return Object.entries(appSecrets)
    .filter(([, secret]) => isWeakSecret(secret.reveal()))
    .map(([name]) => ({ what, verdict: 'remark', words: `${name} has fewer than 8 characters, so that it could be guessed` }));
}
