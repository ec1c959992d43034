import { type Command, InvalidArgumentError } from 'commander';
import type { z } from 'zod';
import { instantOf, isDay, MONTH } from '../../contract/day.ts';

const MOST = 100_000;

export function wholeNumber(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > MOST) throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST}.`);
  return number;
}

/** A moment with its offset, as ISO text in UTC. */
export function instant(text: string): string {
  const at = instantOf(text);
  if (at === null) throw new InvalidArgumentError('It must be a date and time with an offset, such as 2026-12-01T00:00:00+02:00.');
  return at;
}

export function month(text: string): string {
  if (!MONTH.test(text)) throw new InvalidArgumentError('It must be a month such as 2026-10.');
  return text;
}

export function ofMonth(command: Command): Command {
  return command.requiredOption('--shop <id>', 'id of the shop').requiredOption('--month <month>', 'the month, such as 2026-10', month);
}

type OfMonth = typeof import('../../contract/month-dto.ts');

/** Refuses a text that the interface would refuse of a month. Its schema is loaded when the command runs, so that the help loads none. */
export function accepted(name: 'monthFiledDto' | 'monthRejectedDto' | 'monthNothingDto'): (command: Command) => Promise<void> {
  return async (command) => {
    const { [name]: of }: Pick<OfMonth, typeof name> = await import('../../contract/month-dto.ts');
    const shape: Readonly<Record<string, z.ZodType>> = of.shape;
    for (const option of command.options) {
      const given: unknown = command.getOptionValue(option.attributeName());
      const issue = given === undefined ? undefined : shape[option.attributeName()]?.safeParse(given).error?.issues[0];
      if (issue !== undefined)
        command.error(`error: option '${option.flags}' argument '${given}' is invalid. It ${issue.message}.`, { code: 'commander.invalidArgument' });
    }
  };
}

export function seconds(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('It must be a number of seconds.');
  return Number(text);
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** 30s, 10m or 2h, in milliseconds. */
export function duration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const ms = Number(count) * (UNIT_MS[unit] ?? 0);
  if (ms === 0) throw new InvalidArgumentError('It must be a time such as 30s, 10m or 2h.');
  return ms;
}

/** A day in Bulgaria. */
export function day(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('It must be a day such as 2026-10-01.');
}

/** A day in Bulgaria, or a moment with its offset, as it was typed. */
export function dayOrInstant(text: string): string {
  return isDay(text) ? text : instant(text);
}

/** An option that may be given several times. */
export function several(value: string, before: string[] = []): string[] {
  return [...before, value];
}
