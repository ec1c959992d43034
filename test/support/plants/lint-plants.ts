/** Biome rule → a file that breaks it. */
export const lintPlants: Record<string, { file: string; text: string }> = {
  'complexity/noExcessiveCognitiveComplexity': {
    file: 'src/bridge/order/maze.ts',
    text: `export function maze(n: number): number {\n${nested(7)}  return n;\n}\n`,
  },
  'complexity/noExcessiveLinesPerFunction': {
    file: 'src/bridge/order/long-function.ts',
    text: `export function long(): number {\n${lines(61)}  return 1;\n}\n`,
  },
  'style/noExcessiveLinesPerFile': { file: 'src/bridge/order/long-file.ts', text: lines(401) },
  'complexity/useMaxParams': {
    file: 'src/bridge/order/params.ts',
    text: 'export const sum = (a: number, b: number, c: number, d: number): number => a + b + c + d;\n',
  },
  'correctness/noProcessGlobal': { file: 'src/bridge/order/exits.ts', text: 'export const leave = (): void => process.exit(1);\n' },
  'style/noRestrictedImports': { file: 'src/bridge/order/reads.ts', text: "import { env } from 'node:process';\n\nexport const home = env;\n" },
  'correctness/useImportExtensions': { file: 'src/bridge/order/bare.ts', text: "import { sum } from './params';\n\nexport const add = sum;\n" },
  'nursery/noFloatingPromises': {
    file: 'src/bridge/order/floats.ts',
    text: 'async function late(): Promise<void> {}\n\nexport function now(): void {\n  late();\n}\n',
  },
  'nursery/noMisusedPromises': {
    file: 'src/bridge/order/misused.ts',
    text: "const late = async (): Promise<boolean> => true;\n\nexport const word = (): string => {\n  if (late()) return 'always';\n  return 'never';\n};\n",
  },
  'nursery/useExhaustiveSwitchCases': {
    file: 'src/bridge/order/switches.ts',
    text: "export function spell(side: 'left' | 'right'): string {\n  switch (side) {\n    case 'left':\n      return 'l';\n  }\n  return '';\n}\n",
  },
  'performance/noBarrelFile': { file: 'src/bridge/order/barrel.ts', text: "export { sum } from './params.ts';\n" },
  'performance/noReExportAll': { file: 'src/bridge/order/everything.ts', text: "export * from './params.ts';\n" },
  'style/noDefaultExport': { file: 'src/bridge/order/unnamed.ts', text: 'export default 1;\n' },
  'style/noEnum': { file: 'src/bridge/order/colours.ts', text: 'export enum Colour {\n  Red,\n}\n' },
  'style/noNonNullAssertion': { file: 'src/bridge/order/surely.ts', text: 'export const first = (all: string[]): string => all[0]!;\n' },
  'style/noParameterAssign': { file: 'src/bridge/order/reuses.ts', text: 'export function next(n: number): number {\n  n += 1;\n  return n;\n}\n' },
  'style/noParameterProperties': { file: 'src/bridge/order/shortcut.ts', text: 'export class Shortcut {\n  constructor(readonly name: string) {}\n}\n' },
  'style/useConsistentTypeDefinitions': { file: 'src/bridge/order/shape.ts', text: 'export interface Shape {\n  side: number;\n}\n' },
  'style/useFilenamingConvention': { file: 'src/bridge/order/camelCase.ts', text: 'export const camel = 1;\n' },
  'style/useImportType': { file: 'src/bridge/order/types.ts', text: "import { Shape } from './shape.ts';\n\nexport type Form = Shape;\n" },
  'style/useThrowOnlyError': { file: 'src/bridge/order/throws.ts', text: "export function fail(): never {\n  throw 'words';\n}\n" },
  'suspicious/noConsole': { file: 'src/bridge/order/talks.ts', text: "console.log('hello');\n" },
  'suspicious/noEmptyBlockStatements': { file: 'src/bridge/order/swallows.ts', text: 'try {\n  JSON.parse(String(1));\n} catch {}\n' },
  'suspicious/noExplicitAny': { file: 'src/bridge/order/anything.ts', text: 'export type Anything = any;\n' },
  'suspicious/noFocusedTests': { file: 'test/unit/focused.test.ts', text: "import { test } from 'vitest';\n\ntest.only('alone', () => undefined);\n" },
  'suspicious/noSkippedTests': { file: 'test/unit/skipped.test.ts', text: "import { test } from 'vitest';\n\ntest.skip('never', () => undefined);\n" },
  format: { file: 'src/bridge/order/untidy.ts', text: 'export const   untidy = "quoted"\n' },
};

function lines(count: number): string {
  return Array.from({ length: count }, (_, i) => `  Math.max(${i}, 1);\n`).join('');
}

function nested(depth: number): string {
  return depth === 0 ? '  return 0;\n' : `  if (n > ${depth}) {\n${nested(depth - 1)}  }\n`;
}
