import type { ReadingDeps } from '../../../../operations/tasks/begin-reconcile.ts';
import type { ConsoleDeps } from '../../../base/console-deps.ts';

/** What tasks that read stores need. */
export function readingDeps({ pool, connections, stop, stores, ...deps }: ConsoleDeps): ReadingDeps {
  return { pool, connections, stop, background: (work) => deps.background(work), openReading: (by, signal) => stores.openReading(by, signal) };
}
