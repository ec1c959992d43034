import type { CliContext } from '../platform/terminal/context.ts';

const TITLES = { shopify: 'Shopify', woocommerce: 'WooCommerce', standard: 'Standard' } as const;
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;

export type Progress = {
  say(words: string): void;
  sent(webhook: { platform: keyof typeof TITLES; topic: string; number: string; status: number }): void;
  /** Shows that work is under way until it is done, then prints how long it took. False: it was given up. */
  during<T>(words: string, work: Promise<T>): Promise<T>;
};

/** Prints the story line by line; on a terminal, slow work has a moving sign. */
export function createProgress({ stdout }: Pick<CliContext, 'stdout'>): Progress {
  const say = (words: string) => void stdout.write(`${words}\n`);
  return {
    say,
    sent: ({ platform, topic, number, status }) =>
      say(
        `  ${status === 200 ? '→' : '✗'} ${TITLES[platform].padEnd(11)}  ${topic.padEnd(25)}  ${number.padEnd(5)}  ${status}${status === 401 ? ' refused' : ''}`,
      ),
    async during(words, work) {
      const began = performance.now();
      const stop = stdout.columns === undefined ? () => undefined : spin(stdout, words);
      const result = await work.finally(stop);
      say(`${result === false ? '✗ given up:' : '✓'} ${words} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
      return result;
    },
  };
}

function spin(stdout: CliContext['stdout'], words: string): () => void {
  let frame = 0;
  const timer = setInterval(() => {
    frame += 1;
    stdout.write(`\r${FRAMES[frame % FRAMES.length]} ${words} …`);
  }, FRAME_MS);
  return () => {
    clearInterval(timer);
    stdout.write('\r\u001b[2K');
  };
}
