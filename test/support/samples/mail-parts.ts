/** The attachments of a mail as it was sent, by name. */
export function attachmentsOf(mail: string): Map<string, Buffer> {
  const parts = mail.split(/^--[^\r\n]+\r?\n/m).filter((part) => /^Content-Disposition: attachment/im.test(part));
  return new Map(
    parts.map((part) => {
      const [head = '', ...body] = part.split(/\r?\n\r?\n/);
      return [/filename="?([^"\r\n;]+)"?/i.exec(head)?.[1] ?? '', Buffer.from(body.join('').replace(/\s/g, ''), 'base64')];
    }),
  );
}

/** The plain text of a mail. */
export function textOf(mail: string): string {
  const [, encoding = '', body = ''] =
    /Content-Type: text\/plain[^\r\n]*\r?\nContent-Transfer-Encoding: ([^\r\n]+)\r?\n\r?\n([\s\S]*?)\r?\n--/i.exec(mail) ?? [];
  return decoded(encoding, body);
}

/** The text of a mail that has no other part. */
export function plainTextOf({ text }: { text: string }): string {
  const [head = '', ...body] = text.split(/\r?\n\r?\n/);
  return decoded(/^Content-Transfer-Encoding: (\S+)/im.exec(head)?.[1] ?? '', body.join('\n\n'));
}

function decoded(encoding: string, body: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString('utf8');
  const bytes = body.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
