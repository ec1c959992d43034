import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditDiffCommand, auditVerifyCommand } from '../../../src/cli/commands/service/audit-files.ts';
import { CliError } from '../../../src/platform/terminal/context.ts';
import { scratchDir } from '../../support/servers/scratch-dir.ts';
import { goodXml, written } from '../../unit/service/audit/audit-samples.ts';

const folders = new AsyncDisposableStack();
let cwd: string;

beforeAll(async () => {
  ({ path: cwd } = folders.use(await scratchDir()));
  const good = await goodXml();
  await file('good.xml', (await written()).bytes);
  await file('utf8.xml', `<?xml version="1.0" encoding="UTF-8"?>\n${good}`);
  await file('wrong.xml', good.replace('206770508', '104056065').replace('<paym>4', '<paym>7').replace('<ord_n>#1002', '<ord_n>#10\u001b[31m02'));
  await file('other.xml', good.replace('<ord_total2>30.00', '<ord_total2>31.00').replaceAll('#1002', '#1003').replace('0000000002', '0000000003'));
  await file('page.html', '<!DOCTYPE html><html></html>');
});
afterAll(() => folders.disposeAsync());

describe('audit verify', () => {
  test('of a good file prints its content, and ends with 0', async () => {
    expect(await run('verify', 'good.xml')).toEqual({
      code: 0,
      words: '',
      out: 'good.xml: month 2026-10, shop RF0000123, ЕИК 206770508\n2 orders, 36.00 + 5.99 VAT = 41.99; 1 order returned, 6.00\n\n0 errors, 0 warnings.\n',
    });
  });

  test('of a file with warnings only ends with 0', async () => {
    const { code, out } = await run('verify', 'utf8.xml');

    expect(code).toBe(0);
    expect(out).toContain('WARNINGS\n\nencoding.not-windows-1251\n  line 1: the file is in UTF-8\n  → Write windows-1251');
  });

  test('of a file with errors shows them first, with line, order, rule and advice, and ends with 1', async () => {
    const { code, out, words } = await run('verify', 'wrong.xml');

    expect(code).toBe(1);
    expect(words).toMatch(/^wrong\.xml has 3 errors/);
    expect(out).toContain('ERRORS\n\nheader.company-number\n  line 2: eik is "104056065"\n  → Write the company’s ЕИК.');
    expect(out).toContain('schema.violation\n  line 13, order #1001: <paym> is "7"');
    expect(out.indexOf('ERRORS')).toBeLessThan(out.indexOf('WARNINGS'));
    expect(out).toContain('order #10 [31m02');
    expect(out).not.toContain('\u001b');
  });

  test('prints JSON, and nothing else', async () => {
    const { code, out } = await run('verify', 'wrong.xml', '--json');
    const report = JSON.parse(out);

    expect(code).toBe(1);
    expect(report).toMatchObject({ file: 'wrong.xml', header: { month: '2026-10' }, sums: { orders: 2 } });
    expect(report.findings[0]).toEqual({
      level: 'error',
      rule: 'header.company-number',
      line: 2,
      order: null,
      words: 'eik is "104056065"',
      advice: 'Write the company’s ЕИК.',
    });
  });

  test('of another kind of file says so, and ends with 1', async () => {
    const { code, out } = await run('verify', 'page.html');

    expect(code).toBe(1);
    expect(out).toMatch(/^page\.html is not an audit file\.\n/);
    expect(out).toContain('it is a web page');
  });

  test.each([
    ['that is not there', 'nothing.xml'],
    ['that is a folder', '.'],
  ])('of a file %s ends with 2', async (_what, name) => {
    const { code, words, out } = await run('verify', name);

    expect(code).toBe(2);
    expect(words).toContain(`${name} can’t be read`);
    expect(out).toBe('');
  });
});

describe('audit diff', () => {
  test('of files with the same content ends with 0', async () => {
    expect(await run('diff', 'good.xml', 'utf8.xml')).toEqual({ code: 0, words: '', out: 'The files say the same: 2 orders, 1 return.\n' });
  });

  test('of files that differ shows both row by row, and ends with 1', async () => {
    const { code, out } = await run('diff', 'good.xml', 'other.xml');

    expect(code).toBe(1);
    expect(out).toBe(`0 orders and 1 return agree.

SUMS
  total: 41.99 → 42.99

ORDERS THAT DIFFER
  order #1001, document 0000000001, 30.00
    total: 30.00 → 31.00

ORDERS ONLY IN THE FIRST FILE
  order #1002, document 0000000002, 11.99

ORDERS ONLY IN THE SECOND FILE
  order #1003, document 0000000003, 11.99
`);
  });

  test('prints JSON', async () => {
    const { code, out } = await run('diff', 'good.xml', 'other.xml', '--json');

    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ equal: false, same: { orders: 0, returns: 1 }, orders: [{ only: null }, { only: 'first' }, { only: 'second' }] });
  });

  test.each([
    ['no audit file', 'page.html', 'not an audit file: page.html'],
    ['not there', 'nothing.xml', 'nothing.xml can’t be read'],
  ])('with one that is %s ends with 2', async (_what, name, words) => {
    expect(await run('diff', 'good.xml', name)).toMatchObject({ code: 2, words: expect.stringContaining(words), out: '' });
  });
});

async function run(...args: string[]): Promise<{ code: number; words: string; out: string }> {
  const stdout = new Collected();
  const context = { args, env: {}, cwd, stdin: Readable.from([]), stdout, stderr: new Collected(), signal: new AbortController().signal };
  const program = new Command().exitOverride().addCommand(auditVerifyCommand(context)).addCommand(auditDiffCommand(context));
  try {
    await program.parseAsync(args, { from: 'user' });
    return { code: 0, words: '', out: stdout.text };
  } catch (thrown) {
    if (!(thrown instanceof CliError)) throw thrown;
    return { code: thrown.exitCode, words: thrown.message, out: stdout.text };
  }
}

class Collected extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

function file(name: string, content: string | Buffer): Promise<void> {
  return writeFile(join(cwd, name), content);
}
