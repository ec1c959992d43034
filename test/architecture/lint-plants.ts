/** Biome rule → a file that breaks it. */
export const lintPlants: Record<string, { file: string; text: string }> = {
  'complexity/noExcessiveCognitiveComplexity': { file: 'src/domain/maze.ts', text: `export function maze(n: number): number {\n${nested(7)}  return n;\n}\n` },
  'complexity/noExcessiveLinesPerFunction': { file: 'src/domain/long-function.ts', text: `export function long(): number {\n${lines(41)}  return 1;\n}\n` },
  'style/noExcessiveLinesPerFile': { file: 'src/domain/long-file.ts', text: lines(251) },
  'complexity/useMaxParams': {
    file: 'src/domain/params.ts',
    text: 'export const sum = (a: number, b: number, c: number, d: number): number => a + b + c + d;\n',
  },
  'correctness/noProcessGlobal': { file: 'src/domain/exits.ts', text: 'export const leave = (): void => process.exit(1);\n' },
  'style/noRestrictedImports': { file: 'src/domain/reads.ts', text: "import { env } from 'node:process';\n\nexport const home = env;\n" },
  'correctness/useImportExtensions': { file: 'src/domain/bare.ts', text: "import { sum } from './params';\n\nexport const add = sum;\n" },
  'nursery/noFloatingPromises': {
    file: 'src/domain/floats.ts',
    text: 'async function late(): Promise<void> {}\n\nexport function now(): void {\n  late();\n}\n',
  },
  'nursery/noMisusedPromises': {
    file: 'src/domain/misused.ts',
    text: "const late = async (): Promise<boolean> => true;\n\nexport const word = (): string => {\n  if (late()) return 'always';\n  return 'never';\n};\n",
  },
  'nursery/useExhaustiveSwitchCases': {
    file: 'src/domain/switches.ts',
    text: "export function spell(side: 'left' | 'right'): string {\n  switch (side) {\n    case 'left':\n      return 'l';\n  }\n  return '';\n}\n",
  },
  'performance/noBarrelFile': { file: 'src/domain/barrel.ts', text: "export { sum } from './params.ts';\n" },
  'performance/noReExportAll': { file: 'src/domain/everything.ts', text: "export * from './params.ts';\n" },
  'style/noDefaultExport': { file: 'src/domain/unnamed.ts', text: 'export default 1;\n' },
  'style/noEnum': { file: 'src/domain/colours.ts', text: 'export enum Colour {\n  Red,\n}\n' },
  'style/noNonNullAssertion': { file: 'src/domain/surely.ts', text: 'export const first = (all: string[]): string => all[0]!;\n' },
  'style/noParameterAssign': { file: 'src/domain/reuses.ts', text: 'export function next(n: number): number {\n  n += 1;\n  return n;\n}\n' },
  'style/noParameterProperties': { file: 'src/domain/shortcut.ts', text: 'export class Shortcut {\n  constructor(readonly name: string) {}\n}\n' },
  'style/useConsistentTypeDefinitions': { file: 'src/domain/shape.ts', text: 'export interface Shape {\n  side: number;\n}\n' },
  'style/useFilenamingConvention': { file: 'src/domain/camelCase.ts', text: 'export const camel = 1;\n' },
  'style/useImportType': { file: 'src/domain/types.ts', text: "import { Shape } from './shape.ts';\n\nexport type Form = Shape;\n" },
  'style/useThrowOnlyError': { file: 'src/domain/throws.ts', text: "export function fail(): never {\n  throw 'words';\n}\n" },
  'suspicious/noConsole': { file: 'src/domain/talks.ts', text: "console.log('hello');\n" },
  'suspicious/noEmptyBlockStatements': { file: 'src/domain/swallows.ts', text: 'try {\n  JSON.parse(String(1));\n} catch {}\n' },
  'suspicious/noExplicitAny': { file: 'src/domain/anything.ts', text: 'export type Anything = any;\n' },
  'suspicious/noFocusedTests': { file: 'test/unit/focused.test.ts', text: "import { test } from 'vitest';\n\ntest.only('alone', () => undefined);\n" },
  'suspicious/noSkippedTests': { file: 'test/unit/skipped.test.ts', text: "import { test } from 'vitest';\n\ntest.skip('never', () => undefined);\n" },
  format: { file: 'src/domain/untidy.ts', text: 'export const   untidy = "quoted"\n' },
};

function lines(count: number): string {
  return Array.from({ length: count }, (_, i) => `  Math.max(${i}, 1);\n`).join('');
}

function nested(depth: number): string {
  return depth === 0 ? '  return 0;\n' : `  if (n > ${depth}) {\n${nested(depth - 1)}  }\n`;
}
