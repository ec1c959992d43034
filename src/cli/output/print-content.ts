import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../../platform/error-words.ts';
import type { CliContext } from '../../platform/terminal/context.ts';

/** Bytes on standard output as they come, nothing else. A reader such as `head` may close the pipe early. */
export async function printContent({ stdout, signal }: Pick<CliContext, 'stdout' | 'signal'>, content: Readable): Promise<void> {
  await pipeline(content, stdout, { end: false, signal }).catch((thrown: unknown) => {
    if (codeOf(thrown) !== 'EPIPE') throw thrown;
  });
}
