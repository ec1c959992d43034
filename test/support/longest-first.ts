import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest begin first, so that the last worker does not end long after the others. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => moduleId.includes('/test/e2e/');
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
