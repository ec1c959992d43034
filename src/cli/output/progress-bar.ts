import type { CliContext } from '../../platform/terminal/context.ts';

export type OnProgress = (done: number, all: number) => void;

type Work<T> = (onProgress: OnProgress, clear: () => void) => Promise<T>;

/** A progress bar on stderr during `work`, if that is a terminal; else nothing. It disappears when the work ends or calls `clear`. */
export async function withProgressBar<T>({ stderr }: Pick<CliContext, 'stderr'>, unit: string, work: Work<T>): Promise<T> {
  const { Presets, SingleBar } = await import('cli-progress');
  const format = ` {bar} {percentage} %  {value} of {total} ${unit}`;
  const bar = new SingleBar({ stream: stderr, format, clearOnComplete: true }, Presets.shades_classic);
  let started = false;
  const onProgress: OnProgress = (done, all) => {
    if (started) {
      bar.setTotal(all);
      bar.update(done);
    } else bar.start(all, done);
    started = true;
  };
  const clear = (): void => {
    bar.stop();
    started = false;
  };
  try {
    return await work(onProgress, clear);
  } finally {
    clear();
  }
}
