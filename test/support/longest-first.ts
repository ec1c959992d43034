import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** By their size, as the others are sorted, these would come late. */
const LONG = /\/test\/e2e\/|\/(many-stores|killed-jobs|today|audit-schema-thread|month-scenarios|shopify-outage)\.test\.ts$/;

/** Files that take longest begin first, so that the last worker does not end long after the others. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
