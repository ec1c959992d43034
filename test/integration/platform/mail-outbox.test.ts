import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MailSender } from '../../../src/platform/mail/create-mailer.ts';
import type { MailResult, Message } from '../../../src/platform/mail/mail-message.ts';
import { listMails as listAny, type MailBuilder, type Outbox, queueMail as queueAny } from '../../../src/platform/mail/outbox.ts';
import { listMails, queueMail, retryMail, shopMails } from '../../../src/service/mail/shop-mails.ts';
import { BY } from '../../support/samples/by.ts';
import { mail as sampleMail, transportTo } from '../../support/samples/sample-mail.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { refusal, startSmtp } from '../../support/servers/smtp-server.ts';
import { callerOf, shopDto } from '../../support/worlds/compliance-caller.ts';
import { mailJobs, passForJobs } from '../../support/worlds/mail-jobs.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

let postgres: TestPostgres;
let server: ComplianceServer;
let shopId: string;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url });
});
beforeEach(async () => {
  await server.pool.query('delete from compliance.mails; delete from jobs');
  const call = callerOf(server.baseUrl, await sharingKey(server, { multiShop: true }));
  shopId = String((await call('POST', '/shop', { body: shopDto() })).body['id']);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

const now = () => new Date('2026-11-20T10:00:00.000Z');
const pass = (minutes: number) => passForJobs(server.pool, minutes);
const to =
  (...addresses: string[]): MailBuilder =>
  async () => ({ to: addresses, write: async ({ address }) => sampleMail({ to: [address] }) });

function mailer(transport: MailSender, build: MailBuilder = to('ivan@buyer.example')) {
  return mailJobs({ ...parts(), outbox: shopMails, transport, builders: { receipt: build } });
}

function parts() {
  return { pool: server.pool, now };
}

async function queued(dedupKey = 'receipt/1'): Promise<string> {
  await queueMail(server.pool, { kind: 'receipt', ref: { receiptId: '1' }, shopId, dedupKey, now: now() });
  const { rows } = await server.pool.query<{ id: string }>('select id from compliance.mails where dedup_key = $1', [dedupKey]);
  return rows[0]?.id ?? '';
}

async function only() {
  return (await listMails(server.pool, { shopId, limit: 10 }))[0];
}

describe('the outbox', () => {
  test('takes a mail once per key', async () => {
    const one = { kind: 'receipt', ref: { receiptId: '1' }, shopId, dedupKey: 'receipt/1', now: now() };

    expect([await queueMail(server.pool, one), await queueMail(server.pool, one)]).toEqual([true, false]);
  });

  test('sends a mail once, even with several calls at the same moment', async () => {
    await using smtp = await startSmtp();
    const id = await queued();
    const { due, send } = mailer(transportTo(smtp.url));

    const before = await due(10);
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => send(id)));

    expect(before).toEqual([id]);
    expect(outcomes.filter(({ outcome }) => outcome === 'sent')).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'not-due')).toHaveLength(5);
    expect(smtp.taken).toHaveLength(1);
    expect(await due(10)).toEqual([]);
    expect(await only()).toMatchObject({ state: 'sent', attempts: 1, sentAt: now().toISOString(), lastError: null });
  });

  test('waits longer after each temporary failure, then sends', async () => {
    let tries = 0;
    await using smtp = await startSmtp({
      onMail: () => {
        tries += 1;
        if (tries <= 2) throw refusal(451, 'try again later, ivan@buyer.example');
      },
    });
    const id = await queued();
    const { due, send } = mailer(transportTo(smtp.url));

    expect(await send(id)).toMatchObject({ outcome: 'later' });
    expect(await only()).toMatchObject({ state: 'waiting', attempts: 1, lastError: 'the mail server refused the mail (451)' });
    expect([await due(10), await send(id)]).toEqual([[], { outcome: 'not-due' }]);
    await pass(1);
    expect(await send(id)).toMatchObject({ outcome: 'later' });
    await pass(1);
    expect(await send(id)).toEqual({ outcome: 'not-due' });
    await pass(1);
    expect(await send(id)).toMatchObject({ outcome: 'sent', attempts: 3 });
    expect(smtp.taken).toHaveLength(1);
  });

  test('gives up after three days and five tries, and retries when a person asks for it', async () => {
    const id = await queued();
    const { due, send } = mailer(transportTo('smtp://127.0.0.1:1'));

    expect(await send(id)).toMatchObject({ outcome: 'later', attempts: 1 });
    await pass(3 * 24 * 60 - 1);
    expect(await send(id)).toMatchObject({ outcome: 'later', attempts: 2 });
    await pass(2);
    // The server may have been down for all of these days.
    expect(await send(id)).toMatchObject({ outcome: 'later', attempts: 3 });
    await pass(60);
    expect(await send(id)).toMatchObject({ outcome: 'later', attempts: 4 });
    await pass(60);
    expect(await send(id)).toMatchObject({ outcome: 'failed', attempts: 5 });
    expect(await only()).toMatchObject({ state: 'failed', lastError: 'the connection to the mail server broke, or could not be made' });
    expect(await due(10)).toEqual([]);
    expect(await retryMail(server.pool, { id, said: { by: BY } })).toBe(true);
    expect(await due(10)).toEqual([id]);
    expect(await send(id)).toMatchObject({ outcome: 'later', attempts: 1 });
  });

  test('fails at once what is refused for good, and keeps no address of it', async () => {
    await using smtp = await startSmtp({
      onRecipient: (address) => {
        throw refusal(550, `5.1.1 <${address}>: no such user`);
      },
    });

    const result = await mailer(transportTo(smtp.url)).send(await queued());

    expect(result).toMatchObject({ outcome: 'failed', why: 'the mail server refused 1 of 1 recipients (550 5.1.1)' });
    const { rows } = await server.pool.query('select m::text as row from compliance.mails m');
    expect(JSON.stringify(rows)).not.toContain('ivan');
  });

  test('drops a mail whose subject is gone', async () => {
    const id = await queued();

    expect(await mailer(transportTo('smtp://127.0.0.1:1'), async () => null).send(id)).toEqual({ outcome: 'dropped', kind: 'receipt' });
    expect(await only()).toBeUndefined();
  });

  test('keeps a mail that can’t be made, or of a kind that this release does not know', async () => {
    const broken = mailer(transportTo('smtp://127.0.0.1:1'), async () => {
      throw new Error('ivan@buyer.example is odd');
    });
    const strange = mailJobs({ ...parts(), outbox: shopMails, transport: transportTo('smtp://127.0.0.1:1'), builders: {} });

    const made = await broken.send(await queued('a'));
    const known = await strange.send(await queued('b'));

    expect(made).toMatchObject({ outcome: 'later', why: 'the mail could not be made; the log says why' });
    expect(known).toMatchObject({ outcome: 'later', why: 'this release does not know mails of the kind receipt' });
  });

  test('a try whose process dies is repeated after its lease, and its late end changes nothing', async () => {
    const held = Promise.withResolvers<MailResult>();
    const started = Promise.withResolvers<Message>();
    const hanging: MailSender = {
      send: (message) => {
        started.resolve(message);
        return held.promise;
      },
    };
    await using smtp = await startSmtp();
    const id = await queued();

    const late = mailer(hanging).send(id);
    await started.promise;
    const tooEarly = await mailer(transportTo(smtp.url)).due(10);
    await pass(11);
    const repeated = await mailer(transportTo(smtp.url)).send(id);
    held.resolve({ accepted: [], refused: [{ address: 'ivan@buyer.example', permanent: true }], why: 'too late' });
    await late;

    expect(tooEarly).toEqual([]);
    expect(repeated).toMatchObject({ outcome: 'sent', attempts: 2 });
    expect(await only()).toMatchObject({ state: 'sent', lastError: null });
  });
});

describe('an outbox in another schema', () => {
  const letters: Outbox = { schema: 'letters', owner: 'writer', job: 'letter' };

  beforeAll(async () => {
    await server.pool.query(`create schema letters; create table letters.writers (id text primary key);
      create table letters.mails (like compliance.mails including all);
      alter table letters.mails rename shop_id to writer_id;
      alter table letters.mails alter writer_id type text, add foreign key (writer_id) references letters.writers on delete cascade`);
  });
  beforeEach(async () => {
    await server.pool.query(`delete from letters.writers; insert into letters.writers values ('vazov'), ('botev')`);
  });

  const from = (ownerId: string) => ({ kind: 'letter', ref: { letterId: 7 }, ownerId, dedupKey: ownerId, now: now() });

  test('sends its own mails, and no other', async () => {
    await using smtp = await startSmtp();
    await queued();
    await queueAny(server.pool, letters, from('vazov'));
    const asked: unknown[] = [];
    const letter: MailBuilder = async (ref) => {
      asked.push(ref);
      return { to: ['reader@home.example'], write: async ({ address }) => sampleMail({ to: [address] }) };
    };

    const post = mailJobs({ ...parts(), outbox: letters, transport: transportTo(smtp.url), builders: { letter } });
    const due = await post.due(10);
    const sent = await Promise.all(due.map((id) => post.send(id)));

    expect(sent).toMatchObject([{ outcome: 'sent', kind: 'letter' }]);
    expect(asked).toEqual([{ letterId: 7 }]);
    expect(await only()).toMatchObject({ kind: 'receipt', state: 'waiting' });
  });

  test('shows the owner of a mail, and deletes it with them', async () => {
    await queueAny(server.pool, letters, from('vazov'));
    await queueAny(server.pool, letters, from('botev'));

    expect(await listAny(server.pool, letters, { ownerId: 'botev', limit: 10 })).toMatchObject([{ ownerId: 'botev', state: 'waiting' }]);
    await server.pool.query(`delete from letters.writers where id = 'botev'`);
    expect(await listAny(server.pool, letters, { limit: 10 })).toMatchObject([{ ownerId: 'vazov' }]);
  });
});
