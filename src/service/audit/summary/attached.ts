import { words } from './blocks.ts';
import type { FileVersion, MonthSummary } from './month-summary.ts';
import type { Section } from './summary-page.ts';

/** Where a recipient who does not have the file gets it: an address for them, or else a command for the person who runs the service. */
export type FileSource = { link: string } | { command: string };

/** How the file goes with a mail: as it is, in an archive (with or without the CSVs of its orders and of its sums), or not at all, because it is too large. */
export type MailAttachments =
  | { kind: 'files' }
  | { kind: 'zip'; name: string; withoutCsv: boolean; bookkeeping: boolean }
  | { kind: 'left-out'; download: FileSource };

/** What a mail says first if the file is not attached as it is. */
export function attachedSections({ attached }: Pick<MonthSummary, 'attached'>): readonly Section[] {
  if (attached === undefined || attached.kind === 'files') return [];
  if (attached.kind === 'left-out') return [{ title: 'Файлът не е приложен', tone: 'action', blocks: [downloadSteps(attached.download)] }];
  const archive = words(
    `XML файлът е голям и е приложен в архива „${attached.name}“. Отворете архива и подайте в НАП XML файла от него, а не самия архив. ${csvWords(attached)}`,
  );
  return [{ title: 'Файлът е в архив', tone: 'action', blocks: [archive] }];
}

function csvWords({ withoutCsv, bookkeeping }: { withoutCsv: boolean; bookkeeping: boolean }): string {
  if (!withoutCsv) return 'В архива са и CSV файловете: с поръчките и за счетоводството.';
  const left = 'CSV файлът с поръчките е твърде голям за писмо и не е приложен';
  return bookkeeping ? `${left}; този за счетоводството е в архива.` : `${left}.`;
}

const TOO_LARGE = 'Файлът е твърде голям за писмо.';

function downloadSteps(download: FileSource): Section['blocks'][number] {
  if ('link' in download) return { kind: 'steps', steps: [{ words: `${TOO_LARGE} Изтеглете го оттук: ${download.link}`, command: null }] };
  return {
    kind: 'steps',
    steps: [{ words: `${TOO_LARGE} Ако друг поддържа услугата, изпратете му тази команда и той ще Ви го даде:`, command: download.command }],
  };
}

const KEEP = 'Не го отваряйте и не го записвайте с друга програма, за да не се промени кодирането му.';

/** The step that keeps the XML file. */
export function savingWords({ attached }: Pick<MonthSummary, 'attached'>, { name }: Pick<FileVersion, 'name'>): string {
  switch (attached?.kind) {
    case 'zip':
      return `Запазете XML файла „${name}“ от архива „${attached.name}“, приложен към писмото. ${KEEP}`;
    case 'left-out':
      return `Изтеглете XML файла „${name}“, както е написано по-горе. ${KEEP}`;
    default:
      return `Запазете XML файла „${name}“, приложен към писмото. ${KEEP}`;
  }
}
