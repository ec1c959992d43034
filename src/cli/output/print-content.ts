import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CliContext } from '../../platform/terminal/context.ts';

/** Bytes on standard output as they come, nothing else. Whoever reads them, such as `head`, may stop when it has seen enough. */
export async function printContent({ stdout, signal }: Pick<CliContext, 'stdout' | 'signal'>, content: Readable): Promise<void> {
  await pipeline(content, stdout, { end: false, signal }).catch((thrown: unknown) => {
    if (!isBrokenPipe(thrown)) throw thrown;
  });
}

function isBrokenPipe(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPIPE';
}
