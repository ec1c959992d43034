import { type MonthFormat, versionContent } from '../../operations/months/version-content.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { AuditDeps } from '../../service/audit/month/generate-month.ts';
import type { StoredVersion } from '../../service/audit/month/read-versions.ts';
import { NewFile } from './new-file.ts';

export type MonthFileNames = Record<Exclude<MonthFormat, 'bookkeeping' | 'page'>, string>;

/** The XML goes into `out`, CSV and page beside it: october.xml, october.csv, october.html. */
function monthFileNames(out: string): MonthFileNames {
  const stem = out.replace(/\.xml$/i, '');
  return { xml: out, csv: `${stem}.csv`, html: `${stem}.html` };
}

/** The three files of a month; none is visible before all are written. */
export class MonthFiles implements AsyncDisposable {
  readonly names: MonthFileNames;
  readonly #files: [MonthFormat, NewFile][];
  readonly #owned: AsyncDisposableStack;

  private constructor(names: MonthFileNames, files: [MonthFormat, NewFile][], owned: AsyncDisposableStack) {
    this.names = names;
    this.#files = files;
    this.#owned = owned;
  }

  static async open(context: Pick<CliContext, 'cwd'>, { out, force }: { out: string; force: boolean }): Promise<MonthFiles> {
    await using owned = new AsyncDisposableStack();
    const names = monthFileNames(out);
    const files: [MonthFormat, NewFile][] = [];
    for (const format of ['xml', 'csv', 'html'] as const) files.push([format, owned.use(await NewFile.open(context, { file: names[format], force }))]);
    return new MonthFiles(names, files, owned.move());
  }

  async write(deps: AuditDeps, version: StoredVersion): Promise<void> {
    for (const [format, file] of this.#files) await file.write(await versionContent(deps, version, format));
    for (const [, file] of this.#files) await file.publish();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }
}
