import { Presets, SingleBar } from 'cli-progress';
import type { CliContext } from '../../platform/terminal/context.ts';

export type OnProgress = (done: number, all: number) => void;

/** A bar on stderr while `work` goes on, if that is a terminal; else nothing. It is gone when the work has ended. */
export async function withProgressBar<T>({ stderr }: Pick<CliContext, 'stderr'>, unit: string, work: (onProgress: OnProgress) => Promise<T>): Promise<T> {
  const format = ` {bar} {percentage} %  {value} of {total} ${unit}`;
  const bar = new SingleBar({ stream: stderr, format, clearOnComplete: true }, Presets.shades_classic);
  let started = false;
  try {
    return await work((done, all) => {
      if (started) bar.update(done);
      else bar.start(all, done);
      started = true;
    });
  } finally {
    bar.stop();
  }
}
