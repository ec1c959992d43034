import { expect, test } from 'vitest';
import { Secret } from '../../../../src/config/secret.ts';
import { embeddedDialect, isSignedBy } from '../../../../src/contract/dialect.ts';
import { startPostgres } from '../../../support/servers/postgres.ts';
import { ScriptedCompliance } from '../../../support/servers/scripted-compliance.ts';
import { Bridge, orderOf } from '../../../support/worlds/bridge.ts';

test('a changed COMPLIANCE_API_SECRET reaches the stores that are connected with its key', async () => {
  await using postgres = await startPostgres();
  await using service = await ScriptedCompliance.start();
  const first = await Bridge.start({ databaseUrl: postgres.url, complianceUrl: service.url });
  const connected = await first.connect();
  await first[Symbol.asyncDispose]();

  const compliance = { kind: 'remote', baseUrl: service.url, apiKey: 'key', apiSecret: new Secret('renewed'), dialect: embeddedDialect } as const;
  await using second = await Bridge.start({ databaseUrl: postgres.url, complianceUrl: service.url, config: { compliance } });
  await second.send(connected, 'order.paid', { order: orderOf('1') });
  await second.settled(connected, '1', 'recorded');

  const [create] = service.requests('POST');
  const signature = String(create?.headers['x-signature']);
  expect(isSignedBy({ body: Buffer.from(create?.body ?? ''), signature, secret: 'renewed' }, embeddedDialect)).toBe(true);
});
