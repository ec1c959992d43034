import { type Html, html } from './html.ts';

/** The modules of a QR code as inline SVG, black on white; `size` is its side in modules, with the quiet zone. */
export function qrImage(modules: readonly (readonly boolean[])[], label: string): { svg: Html; size: number } {
  const size = modules.length;
  const path = modules.flatMap((row, y) => darkRuns(row).map(({ x, length }) => `M${x} ${y}h${length}v1h-${length}z`)).join('');
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>`;
  return { svg, size };
}

function darkRuns(row: readonly boolean[]): { x: number; length: number }[] {
  const runs: { x: number; length: number }[] = [];
  let start: number | null = null;
  for (const [x, dark] of [...row, false].entries()) {
    if (dark && start === null) start = x;
    if (!dark && start !== null) {
      runs.push({ x: start, length: x - start });
      start = null;
    }
  }
  return runs;
}
