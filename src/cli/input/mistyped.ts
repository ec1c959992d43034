import { CliError } from '../../platform/terminal/context.ts';

/** A mistake in what was typed: it is said as the help is, in English. */
export class Mistyped extends CliError {}
