import type { Reporter, TestCase } from 'vitest/node';

/** Says in the end what was skipped on this machine, and why. */
export class SkippedWithReason implements Reporter {
  readonly #lines: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const result = test.result();
    if (result.state === 'skipped' && result.note !== undefined)
      this.#lines.push(`skipped: ${test.module.relativeModuleId} > ${test.fullName}: ${result.note}`);
  }

  onTestRunEnd(): void {
    if (this.#lines.length > 0) process.stdout.write(`${this.#lines.join('\n')}\n`);
  }
}
