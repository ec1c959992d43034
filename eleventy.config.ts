import { rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { articleOf, pageOf, type Section, sectionsOf } from './scripts/site/page.ts';
import { sitePathOf } from './scripts/site/site-paths.ts';

type Page = { inputPath: string };
type EleventyConfig = {
  ignores: Set<string>;
  addGlobalData(name: string, value: unknown): void;
  addPassthroughCopy(paths: Record<string, string>): void;
  addTransform(name: string, make: (this: { page: Page }, html: string) => string): void;
  on(event: string, act: () => void): void;
};

const OUTPUT = 'site';

/**
 * The site of the docs: the pages of the repository as they are, in one frame, with a search. It loads nothing from elsewhere and needs no server.
 * Eleventy is small: VitePress would bring 100 MB, binaries for each platform and a second Vite into every `npm ci`.
 */
export default function site(config: EleventyConfig) {
  const sections: Section[] = [];
  for (const folder of ['src', 'test', 'bench', 'scripts', 'bin', 'dist', 'reports', 'coverage', OUTPUT]) config.ignores.add(folder);
  config.addGlobalData(
    'permalink',
    () =>
      ({ page }: { page: Page }) =>
        sitePathOf(page.inputPath),
  );
  config.addPassthroughCopy({
    'docs/console': 'console',
    'docs/connect': 'connect',
    'docs/opencart': 'opencart',
    'docs/woocommerce-plugin': 'woocommerce-plugin',
    'docs/reference/*.json': 'reference',
    'scripts/site/*.{css,js}': '.',
  });
  config.addTransform('page', function toPage(html) {
    const file = relative('.', this.page.inputPath);
    const article = articleOf(file, html);
    sections.push(...sectionsOf(file, article));
    return pageOf(file, article);
  });
  config.on('eleventy.before', () => rmSync(OUTPUT, { recursive: true, force: true }));
  config.on('eleventy.after', () => writeFileSync(join(OUTPUT, 'search-index.js'), `window.sections = ${JSON.stringify(sections)};\n`));
  return { dir: { input: '.', output: OUTPUT }, templateFormats: ['md'], markdownTemplateEngine: false };
}
