import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { bytes, id, mail, transportTo } from '../../support/samples/sample-mail.ts';
import { refusal, startSmtp } from '../../support/servers/smtp-server.ts';

test('a mail arrives with its parts, its sender and an id made from its own', async () => {
  await using smtp = await startSmtp();

  const delivery = await transportTo(smtp.url).send(mail({ attachments: [{ filename: 'месец.csv', contentType: 'text/csv', content: bytes() }] }), id);

  expect(delivery).toEqual({ accepted: ['ivan@buyer.example'], refused: [], why: null });
  expect(smtp.taken).toMatchObject([{ from: 'receipts@service.example', to: ['ivan@buyer.example'] }]);
  const text = smtp.taken[0]?.text ?? '';
  expect(text).toContain(`Message-ID: <${id}@service.example>`);
  expect(text).toMatch(/From: =\?UTF-8\?.+ <receipts@service\.example>/);
  expect(text).toContain('Reply-To: shop@cups.example');
  expect(text).toContain('Auto-Submitted: auto-generated');
  expect(text).toContain('Content-ID: <qr@receipt>');
  expect(text).toContain(Buffer.from('номер;сума').toString('base64'));
  expect(text).toMatch(/multipart\/alternative[\s\S]+text\/plain[\s\S]+text\/html/);
});

test('line breaks in a name or a subject make no headers, and an address is never a list', async () => {
  await using smtp = await startSmtp();
  const evil = '\r\nBcc: evil@evil.example';

  const delivery = await transportTo(smtp.url).send(
    mail({ senderName: `Чаши${evil}`, subject: `№ 1${evil}`, to: ['ivan@buyer.example', 'a@b.example, c@d.example', 'Иван <e@f.example>'] }),
    id,
  );

  expect(delivery.accepted).toEqual(['ivan@buyer.example']);
  expect(delivery.refused.map(({ permanent }) => permanent)).toEqual([true, true]);
  expect(delivery.why).toBe('2 of 3 recipients are no e-mail addresses');
  expect(smtp.taken[0]?.to).toEqual(['ivan@buyer.example']);
  expect(smtp.taken[0]?.text).not.toMatch(/^Bcc:/im);
});

test('finding 14: a sender’s name and a subject are one line each, encoded line breaks included', async () => {
  await using smtp = await startSmtp();

  await transportTo(smtp.url).send(mail({ senderName: 'Inj\r\nBcc: evil@evil.example\u202e', subject: 'One\r\ntwo' }), id);

  const text = smtp.taken[0]?.text ?? '';
  expect(text).toMatch(/^From: "?Inj Bcc: evil@evil\.example"? <receipts@service\.example>$/m);
  expect(text).toMatch(/^Subject: One two$/m);
  expect(text).not.toMatch(/=0D|=0A/);
});

test('a domain in Cyrillic is sent in ASCII', async () => {
  await using smtp = await startSmtp();

  const delivery = await transportTo(smtp.url).send(mail({ to: ['ivan@Пример.бг'] }), id);

  expect(delivery.accepted).toEqual(['ivan@Пример.бг']);
  expect(smtp.taken[0]?.text).toContain('To: ivan@xn--e1afmkfd.xn--90ae');
});

test.each([
  [450, '4.2.1', false],
  [550, '5.1.1', true],
])('a recipient refused with %i %s is refused for good: %s %s', async (status, enhanced, permanent) => {
  await using smtp = await startSmtp({
    onRecipient: (address) => {
      throw refusal(status, `${enhanced} <${address}> not now`);
    },
  });

  const delivery = await transportTo(smtp.url).send(mail(), id);

  expect(delivery).toEqual({
    accepted: [],
    refused: [{ address: 'ivan@buyer.example', permanent }],
    why: `the mail server refused 1 of 1 recipients (${status} ${enhanced})`,
  });
});

test('one recipient of three is refused, the others have the mail', async () => {
  await using smtp = await startSmtp({
    onRecipient: (address) => {
      if (address.startsWith('gone')) throw refusal(550, `5.1.1 no ${address}`);
      if (address.startsWith('grey')) throw refusal(451, '4.7.1 try again later');
    },
  });

  const delivery = await transportTo(smtp.url).send(mail({ to: ['a@one.example', 'gone@two.example', 'grey@Three.example'] }), id);

  expect(delivery.accepted).toEqual(['a@one.example']);
  expect(delivery.refused).toEqual([
    { address: 'gone@two.example', permanent: true },
    { address: 'grey@Three.example', permanent: false },
  ]);
  expect(delivery.why).toBe('the mail server refused 2 of 3 recipients (550 5.1.1, 451 4.7.1)');
});

test.each([
  [451, false],
  [552, true],
  [554, true],
])('a mail refused with %i after its text is refused for good: %s', async (status, permanent) => {
  await using smtp = await startSmtp({
    onMail: ({ to }) => {
      throw refusal(status, `no mail for ${to.join()}`);
    },
  });

  const delivery = await transportTo(smtp.url).send(mail(), id);

  expect(delivery.refused).toEqual([{ address: 'ivan@buyer.example', permanent }]);
  expect(delivery.why).toBe(`the mail server refused the mail (${status})`);
});

test('a sender that the server does not want is our setting, not the recipient’s fault', async () => {
  await using smtp = await startSmtp({ options: { onMailFrom: (_address, _session, callback) => callback(refusal(550, 'relaying denied')) } });

  const delivery = await transportTo(smtp.url).send(mail(), id);

  expect(delivery.refused).toEqual([{ address: 'ivan@buyer.example', permanent: false }]);
  expect(delivery.why).toBe('the mail server refused the sender: check MAIL_FROM (550)');
});

test('a wrong password is retried, and reported without it', async () => {
  await using smtp = await startSmtp({
    options: { authOptional: false, allowInsecureAuth: true, onAuth: (_auth, _session, callback) => callback(refusal(535, 'no such user robot')) },
  });

  const delivery = await transportTo(smtp.url.replace('//', '//robot:hunter2@')).send(mail(), id);

  expect(delivery.refused).toEqual([{ address: 'ivan@buyer.example', permanent: false }]);
  expect(delivery.why).toBe('the mail server refused the user or password: check SMTP_URL (535)');
});

test('if encryption is required and not offered, nothing is sent', async () => {
  await using smtp = await startSmtp({ options: { disabledCommands: ['STARTTLS'] } });

  const delivery = await transportTo(`${smtp.url}?requireTLS=true`).send(mail(), id);

  expect(smtp.taken).toEqual([]);
  expect(delivery.refused).toEqual([{ address: 'ivan@buyer.example', permanent: false }]);
  expect(delivery.why).toMatch(/^no encrypted connection could be made/);
});

test('a self-signed certificate is not trusted', async () => {
  await using smtp = await startSmtp({ options: { hideSTARTTLS: false } });

  const delivery = await transportTo(smtp.url).send(mail(), id);

  expect(smtp.taken).toEqual([]);
  expect(delivery.refused).toEqual([{ address: 'ivan@buyer.example', permanent: false }]);
  expect(delivery.why).toMatch(/^no encrypted connection could be made/);
});

test.each([
  ['hangs up at once', (socket: import('node:net').Socket) => void socket.destroy()],
  ['says nothing', () => undefined],
  ['speaks something else', (socket: import('node:net').Socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['hangs up after the greeting', (socket: import('node:net').Socket) => void socket.write('220 hello\r\n', () => socket.destroy())],
])('a server that %s is retried', async (_what, onConnection) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;

  const delivery = await transportTo(`smtp://127.0.0.1:${port}`).send(mail(), id);
  server.close();

  expect(delivery.accepted).toEqual([]);
  expect(delivery.refused).toEqual([{ address: 'ivan@buyer.example', permanent: false }]);
  expect(delivery.why).toMatch(/^the (connection to the )?mail server /);
});

test('a server that hangs up in the middle of the text is retried', async () => {
  const server = await startRawSmtp((line) => (line === 'DATA' ? '354 go on' : line === 'in text' ? null : '250 fine'));

  const delivery = await transportTo(server.url).send(mail(), id);
  server.close();

  expect(delivery.refused).toEqual([{ address: 'ivan@buyer.example', permanent: false }]);
  expect(delivery.why).toBe('the connection to the mail server broke, or could not be made');
});

test('if nothing listens, it is retried', async () => {
  const delivery = await transportTo('smtp://127.0.0.1:1').send(mail(), id);

  expect(delivery.refused).toEqual([{ address: 'ivan@buyer.example', permanent: false }]);
  expect(delivery.why).toBe('the connection to the mail server broke, or could not be made');
});

/** Answers each line by the script; hangs up where it says null. */
async function startRawSmtp(answer: (line: string) => string | null): Promise<{ url: string; close: () => void }> {
  const server = createServer((socket) => {
    let inText = false;
    socket.on('error', () => undefined);
    socket.write('220 hello\r\n');
    socket.on('data', (chunk) => {
      for (const line of inText ? ['in text'] : chunk.toString().trim().split('\r\n')) {
        const words = answer(line);
        if (words === null) return void socket.destroy();
        inText = words.startsWith('354');
        socket.write(`${words}\r\n`);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  return { url: `smtp://127.0.0.1:${port}`, close: () => server.close() };
}

test.for(['', '?requireTLS=false', '?ignoreTLS=true', '?opportunisticTLS=true', '?secure=false'])(
  'finding 11: a mail without a password is not handed in the clear to a server whose address may be public (%s)',
  async (query) => {
    await using smtp = await startSmtp();
    // This machine, in a spelling that no parser of addresses knows.
    const url = smtp.url.replace('127.0.0.1', '0x7f.1') + query;

    const delivery = await transportTo(url).send(mail(), id);
    const { ok, words } = await transportTo(url).check();

    expect(delivery).toMatchObject({
      accepted: [],
      refused: [{ permanent: false }],
      why: expect.stringMatching(/no encrypted connection.*TRUSTED_HTTP_HOSTS/),
    });
    expect({ ok, words }).toMatchObject({ ok: false, words: expect.stringContaining('TRUSTED_HTTP_HOSTS') });
    expect(smtp.taken).toEqual([]);
    expect(await transportTo(url, '/nowhere', ['0x7f.1']).send(mail(), id)).toMatchObject({ accepted: ['ivan@buyer.example'] });
  },
);
