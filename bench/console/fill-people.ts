import { randomUUID } from 'node:crypto';
import { sealedPart } from '../../src/bridge/ledger/invitations/sealed-parts.ts';
import { sealedMailbox } from '../../src/bridge/ledger/people/people-store.ts';
import type { Bridge } from '../../test/support/worlds/bridge.ts';

/** Each of so many stores has an account of its own. */
const OWN_ACCOUNT = 20;

/** An accountant for each store, its merchant's way and an open invitation, and accounts at another compliance service. */
export async function fillPeople({ app, pool }: Bridge): Promise<void> {
  const connections = await app.core.connections.list();
  const rows = connections.map(({ id: connection, shopId }, n) => ({ connection, shopId, n, ids: [randomUUID(), randomUUID(), randomUUID()] as const }));
  await pool.query(
    `insert into people (id, email, name, role, shops, lang, seen_at) select id, email, name, 'accountant', array[shop], 'bg', now() from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[]) x(id, email, name, shop)`,
    [
      rows.map(({ ids }) => ids[0]),
      rows.map(({ ids, n }) => sealedMailbox(pool, { id: ids[0], email: `accountant-${n}@example.com` })),
      rows.map(({ n }) => `Счетоводител ${n}`),
      rows.map(({ shopId }) => shopId),
    ],
  );
  const invite = `insert into onboardings (id, who, email, lang, connection_id, done, expires_at, started_at, created_at)
    select id, 'cli:bench', email, 'bg', connection, '{company,store}', now() + interval '10 days', case when connection is not null then now() end, now() - n * interval '1 minute'
    from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality x(id, email, connection, n)`;
  for (const place of [1, 2] as const)
    await pool.query(invite, [
      rows.map(({ ids }) => ids[place]),
      rows.map(({ ids, n }) => sealedPart(pool, { id: ids[place], column: 'email', plain: `merchant-${place}-${n}@example.com` })),
      rows.map(({ connection }) => (place === 1 ? connection : null)),
    ]);
  await pool.query(
    `insert into onboarding_links (token, onboarding, scope) select sha256(id::text::bytea), id, case when started_at is null then 'all' else 'status' end from onboardings`,
  );
  await pool.query(
    `insert into connection_hosts (connection_id, host, ownership) select id, 'host-' || id || '.example', 'ours' from connections on conflict do nothing`,
  );
  for (const { connection, n } of rows.filter(({ n: place }) => place % OWN_ACCOUNT === OWN_ACCOUNT - 1)) {
    const destination = await app.core.destinations.ensure('https://compliance.example', { apiKey: `bench-${n}`, apiSecret: 'secret' });
    await pool.query('update connections set destination_id = $2 where id = $1', [connection, destination]);
  }
}
