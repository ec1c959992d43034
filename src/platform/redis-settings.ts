import type { Redis } from 'ioredis';

const NEEDED = [
  { name: 'appendonly', good: ['yes'], todo: 'set appendonly yes, or a restart loses what was accepted' },
  { name: 'maxmemory-policy', good: ['noeviction'], todo: 'set maxmemory-policy noeviction, or a full Redis throws jobs away' },
] as const;

/** What is wrong with a Redis that must not lose jobs; empty if nothing is. */
export async function redisProblems(redis: Redis): Promise<string[]> {
  const problems: string[] = [];
  for (const { name, good, todo } of NEEDED) {
    const answer = await redis.config('GET', name).catch(() => null);
    const value = settingOf(answer, name);
    if (value === null) problems.push(`its ${name} can't be read (CONFIG is not allowed): make sure yourself`);
    else if (!good.some((one) => one === value)) problems.push(`its ${name} is ${value}: ${todo}`);
  }
  return problems;
}

function settingOf(answer: unknown, name: string): string | null {
  if (Array.isArray(answer)) return typeof answer[1] === 'string' ? answer[1] : null;
  if (answer instanceof Map) return String(answer.get(name) ?? '') || null;
  if (answer !== null && typeof answer === 'object' && name in answer) return String(Reflect.get(answer, name));
  return null;
}
