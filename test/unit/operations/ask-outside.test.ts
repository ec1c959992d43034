import { afterEach, expect, test, vi } from 'vitest';
import { loadConfig } from '../../../src/config/load-config.ts';
import { askOutside } from '../../../src/operations/health/checks/network.ts';

afterEach(() => void vi.useRealTimers());

test('a mail server that hangs needs attention, and is not what can’t be checked', async () => {
  const loaded = loadConfig({ SMTP_URL: 'smtp://127.0.0.1:9' }, { role: 'all', cwd: '/' });
  if (!loaded.ok) throw new Error(loaded.problems.join('; '));
  vi.useFakeTimers();

  const asked = askOutside({ config: loaded.config, mail: () => new Promise(() => undefined) });
  await vi.advanceTimersByTimeAsync(4_900);

  expect(await asked).toMatchObject([{ code: 'mail.down', level: 'attention', words: 'the mail server: no answer within 4000 ms' }]);
});
