import { words } from './blocks.ts';
import type { FileVersion, MonthSummary } from './month-summary.ts';
import type { Section } from './summary-page.ts';

/**
 * How the file goes with a mail: as it is, in an archive (with or without the CSVs of its orders and of its sums), or not at all, because it is too
 * large; then `link` leads to it, if there is one.
 */
export type MailAttachments =
  | { kind: 'files' }
  | { kind: 'zip'; name: string; withoutCsv: boolean; bookkeeping: boolean }
  | { kind: 'left-out'; link: string | null };

/** What a mail says first if the file is not attached as it is. */
export function attachedSections({ attached }: Pick<MonthSummary, 'attached'>): readonly Section[] {
  if (attached === undefined || attached.kind === 'files') return [];
  if (attached.kind === 'left-out') {
    const source = attached.link === null ? ASK_FOR_IT : `Изтеглете го оттук: ${attached.link}`;
    return [{ title: 'Файлът не е приложен', tone: 'action', blocks: [words(`${TOO_LARGE} ${source}`)] }];
  }
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
const ASK_FOR_IT = 'Поискайте го, като отговорите на писмото: ще ви го даде този, който поддържа услугата.';

const KEEP = 'Не го отваряйте и не го записвайте с друга програма, за да не се промени кодирането му.';

/** The step that keeps the XML file. */
export function savingWords({ attached }: Pick<MonthSummary, 'attached'>, { name }: Pick<FileVersion, 'name'>): string {
  switch (attached?.kind) {
    case 'zip':
      return `Запазете XML файла „${name}“ от архива „${attached.name}“, приложен към писмото. ${KEEP}`;
    case 'left-out':
      return `Вземете XML файла „${name}“, както е написано по-горе. ${KEEP}`;
    default:
      return `Запазете XML файла „${name}“, приложен към писмото. ${KEEP}`;
  }
}
