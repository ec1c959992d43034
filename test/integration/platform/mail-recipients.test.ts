import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MailSender } from '../../../src/platform/mail/create-mailer.ts';
import { type Letter, type MailBuilder, markOf } from '../../../src/platform/mail/outbox.ts';
import { listMails, queueMail, retryMail, shopMails } from '../../../src/service/mail/shop-mails.ts';
import { BY } from '../../support/samples/by.ts';
import { mail as sampleMail, transportTo } from '../../support/samples/sample-mail.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { refusal, startSmtp, type TakenMail } from '../../support/servers/smtp-server.ts';
import { callerOf, shopDto } from '../../support/worlds/compliance-caller.ts';
import { mailJobs, passForJobs } from '../../support/worlds/mail-jobs.ts';

let postgres: TestPostgres;
let server: ComplianceServer;
let shopId: string;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url });
  const call = callerOf(server.baseUrl, await server.service.keys.create({ multiShop: true }));
  shopId = String((await call('POST', '/shop', { body: shopDto() })).body['id']);
});
beforeEach(async () => {
  await server.pool.query('delete from compliance.mails; delete from jobs');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

const now = () => new Date('2026-11-20T10:00:00.000Z');
const pass = (minutes: number) => passForJobs(server.pool, minutes);
const all = () => listMails(server.pool, { shopId, limit: 10 });
const large = () => ({ filename: 'a.xml', contentType: 'application/xml', content: Buffer.alloc(30_000) });

/** A mail with an attachment, if it may have one. */
const to =
  (...addresses: string[]): MailBuilder =>
  async () => ({ to: addresses, write: async ({ address, light }) => sampleMail({ to: [address], attachments: light ? [] : [large()] }) });

function mailer(transport: MailSender, build: MailBuilder = to('ivan@buyer.example')) {
  return mailJobs({ pool: server.pool, now, outbox: shopMails, transport, builders: { receipt: build } });
}

async function queued(): Promise<string> {
  await queueMail(server.pool, { kind: 'receipt', ref: { receiptId: '1' }, shopId, dedupKey: 'receipt/1', now: now() });
  return (await all())[0]?.id ?? '';
}

function fail(status: number, words: string): never {
  throw refusal(status, words);
}

describe('a mail to several', () => {
  test('is one mail for each recipient, with its own state: one that is refused holds up no other', async () => {
    let grey = true;
    await using smtp = await startSmtp({
      onRecipient: (address) => {
        if (address === 'grey@b.example' && grey) throw refusal(451, 'greylisted');
        if (address === 'gone@c.example') throw refusal(550, 'no such user');
      },
    });
    const id = await queued();
    const { due, send } = mailer(transportTo(smtp.url), to('gone@c.example', 'grey@b.example', 'a@a.example', 'A@a.example'));

    const first = await send(id);
    const others = await due(10);
    const outcomes = (await Promise.all(others.map(send))).map(({ outcome }) => outcome);
    grey = false;
    await pass(1);
    const later = await Promise.all((await due(10)).map(send));

    expect(first).toMatchObject({ outcome: 'failed', why: 'the mail server refused 1 of 1 recipients (550)' });
    expect(outcomes.toSorted()).toEqual(['later', 'sent']);
    expect(later).toMatchObject([{ outcome: 'sent' }]);
    expect(smtp.taken.map((one) => one.to)).toEqual([['a@a.example'], ['grey@b.example']]);
    expect((await all()).map(({ state }) => state).toSorted()).toEqual(['failed', 'sent', 'sent']);
  });

  test('a mail that waited for several since before, and reached one of them, reaches the others', async () => {
    await using smtp = await startSmtp();
    const id = await queued();
    const had = markOf(server.pool, id, 'a@a.example');
    await server.pool.query('update compliance.mails set delivered = $2 where id = $1', [id, [had]]);
    const { due, send } = mailer(transportTo(smtp.url), to('a@a.example', 'b@b.example', 'c@c.example'));

    await send(id);
    for (const other of await due(10)) await send(other);

    expect(smtp.taken.map((one) => one.to.join()).toSorted()).toEqual(['b@b.example', 'c@c.example']);
    expect(await due(10)).toEqual([]);
  });

  test('a recipient who is none any more gets no mail', async () => {
    let addresses = ['a@a.example', 'b@b.example'];
    await using smtp = await startSmtp();
    const id = await queued();
    const { due, send } = mailer(transportTo(smtp.url), async (ref) => to(...addresses)(ref));

    await send(id);
    addresses = ['a@a.example'];
    const outcomes = await Promise.all((await due(10)).map(send));

    expect(outcomes).toMatchObject([{ outcome: 'dropped' }]);
    expect(smtp.taken.map((one) => one.to)).toEqual([['a@a.example']]);
  });
});

describe('a mail that is too large', () => {
  test.each([
    ['after it was sent: 552', { onMail: (one: TakenMail) => one.text.length > 20_000 && fail(552, '5.3.4 too big') }],
    ['after it was sent: 550 5.2.3', { onMail: (one: TakenMail) => one.text.length > 20_000 && fail(550, '5.2.3 message length exceeds limit') }],
    ['in the greeting of the server', { options: { size: 20_000 } }],
  ])('a size that is refused %s makes it go at once without attachments', async (_when, script) => {
    await using smtp = await startSmtp(script);
    const id = await queued();

    const result = await mailer(transportTo(smtp.url)).send(id);

    expect(result).toMatchObject({ outcome: 'sent', attempts: 2, why: 'it went without attachments, because the mail server refused its size' });
    expect(smtp.taken).toHaveLength(1);
    expect(smtp.taken[0]?.text).not.toContain('a.xml');
  });

  test('that it goes without attachments is known to anyone who takes it after a crash', async () => {
    await using smtp = await startSmtp({ onMail: (one) => void (one.text.length > 20_000 && fail(552, 'too big')) });
    const id = await queued();
    const crashing: MailBuilder = async (ref) => {
      const letter = await to('ivan@buyer.example')(ref);
      const write: Letter['write'] = (reader) =>
        reader.light ? Promise.reject(new Error('as if it crashed here')) : (letter?.write(reader) ?? Promise.resolve(null));
      return letter === null ? null : { ...letter, write };
    };

    await mailer(transportTo(smtp.url), crashing).send(id);
    await pass(11);
    const result = await mailer(transportTo(smtp.url)).send(id);

    expect(result).toMatchObject({ outcome: 'sent', attempts: 3 });
    expect(smtp.taken).toHaveLength(1);
  });

  test('one that is too large without attachments, too, has failed; asked again, it goes with them', async () => {
    let isFull = true;
    await using smtp = await startSmtp({ onMail: () => void (isFull && fail(552, '5.2.2 over quota')) });
    const id = await queued();
    const { send } = mailer(transportTo(smtp.url));

    expect(await send(id)).toMatchObject({ outcome: 'failed', attempts: 2, why: 'the mail server refused the mail (552 5.2.2)' });
    isFull = false;
    await retryMail(server.pool, { id, said: { by: BY } });
    expect(await send(id)).toMatchObject({ outcome: 'sent', attempts: 1 });
    expect(smtp.taken[0]?.text).toContain('a.xml');
  });
});
