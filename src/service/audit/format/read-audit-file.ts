import { AuditReader } from './audit-reader.ts';
import { FileDecoder } from './decode-file.ts';
import { FindingList } from './finding-list.ts';
import { type SeenHeader, type SeenOrder, type SeenReturn, seenHeader, seenOrder, seenReturn } from './seen-audit.ts';

/** Called for each row as it is read. */
export type AuditRows = { order(order: SeenOrder): void; return(returned: SeenReturn): void };

/** Reads a file of any origin row by row, without checks; null if it is no audit file. */
export async function readAuditFile(file: Uint8Array | AsyncIterable<Uint8Array>, rows: AuditRows): Promise<SeenHeader | null> {
  const findings = new FindingList();
  const decoder = new FileDecoder(findings);
  const reader = new AuditReader(findings, ({ kind, fields, articles }) =>
    kind === 'order' ? rows.order(seenOrder(fields, articles)) : rows.return(seenReturn(fields)),
  );
  if (file instanceof Uint8Array) reader.push(decoder.push(file));
  else for await (const bytes of file) reader.push(decoder.push(bytes));
  reader.push(decoder.end());
  reader.end();
  return reader.root === 'audit' ? seenHeader(reader.header) : null;
}
