import type { Actor } from '../../platform/audit-log/audit-log.ts';
import { type ZippedFile, zipped } from '../../platform/zip-within.ts';
import type { AuditDeps } from '../../service/audit/month/generate-month.ts';
import { subjectOf } from '../../service/audit/month/month-state.ts';
import { writeServiceActs } from '../../service/audit-log/service-acts.ts';
import type { BoardCard } from './month-board.ts';
import { savedName, versionContent, versionOf } from './versions.ts';

/** Does a month have a file with all that is known of it? */
export function isReady({ situation, version, lacks, outstanding }: BoardCard): boolean {
  return version !== null && (situation === 'filed' || (situation === 'generated' && lacks === 0 && outstanding === null));
}

/** More in one archive would hold a connection, and the person, for too long. */
export const MOST_IN_ARCHIVE = 500;

/** `list`: what is left out, and why, for those who open the archive. */
type Wanted = { cards: readonly BoardCard[]; list: { name: string; text: string }; by: Actor };

/** The XML and the bookkeeping CSV of each month that is ready, a folder for each shop, as one archive. Who took it is logged with each month. */
export async function monthArchive(deps: AuditDeps, { cards, list, by }: Wanted): Promise<AsyncIterable<Uint8Array>> {
  const files: ZippedFile[] = [{ name: list.name, content: once(list.text) }];
  const taken: Parameters<typeof writeServiceActs>[1][number][] = [];
  for (const [i, card] of cards.filter(isReady).entries()) {
    const { file } = await versionOf(deps, card, card.version);
    if (file === null) continue;
    const folder = folderName(i + 1, card);
    for (const format of ['xml', 'bookkeeping'] as const)
      files.push({ name: `${folder}/${savedName(file, format)}`, content: lazily(() => versionContent(deps, file, format)) });
    taken.push({ who: by, act: 'month.downloaded' as const, subject: subjectOf(card), after: { version: file.version } });
  }
  await writeServiceActs(deps.pool, taken);
  return zipped(files, deps.now());
}

/** The number keeps shops of one name apart; what a file system refuses is left out. */
function folderName(n: number, { company, shop }: BoardCard): string {
  const plain = `${company} - ${shop}`.replace(/[\\/:*?"<>|\p{Cc}]/gu, ' ').replace(/\s+/g, ' ');
  return `${String(n).padStart(2, '0')} ${plain.slice(0, 80).replace(/[ .]+$/, '')}`;
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`\ufeff${text}`);
}

async function* lazily(content: () => ReturnType<typeof versionContent>): AsyncGenerator<Uint8Array> {
  yield* await content();
}
