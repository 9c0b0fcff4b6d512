import {existsSync, globSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';

const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'src/README.md', 'test/README.md'];
const files = globSync(['{src,test,assets}/**/*', '.ci/*', '*'], {exclude: ['node_modules', 'dist']});

const blocks = /^```(\w*)\n(.*?)^```$/gms;
const path = /^[\w@.*-]+(?:\/[\w@.*-]+)*(?:\/|\.(?:ts|tsx|js|cjs|md|json|svg))$/;

/** Returns the paths that a document names: in code, and in blocks without a language, which are trees of folders. */
function namedPaths(text: string): string[] {
  const words = Array.from(text.matchAll(blocks), ([, language, block = '']) => (language === '' ? block : ''))
    .join(' ')
    .split(/[\s,;:()]+/);
  const codes = Array.from(text.replaceAll(blocks, '').matchAll(/`([^`\n]+)`/g), ([, code = '']) => code);
  return [...words, ...codes].filter((word) => path.test(word));
}

/** Returns whether there is such a file or folder, at any place: documents leave out the layer where it is clear. */
function exists(name: string): boolean {
  const wanted = name.replace(/\/$/, '');
  if (wanted.includes('*')) return globSync([wanted, `{src,test}/**/${wanted}`]).length > 0;
  return files.some((file) => file === wanted || file.endsWith(`/${wanted}`));
}

test.each(documents)('documents: %s names only files and folders that exist', (document) => {
  const made = ['dist/', 'program/', 'share/'];
  const missing = namedPaths(readFileSync(document, 'utf8')).filter((name) => !exists(name) && !made.includes(name));
  expect(missing).toEqual([]);
});

test.each(documents)('documents: the links of %s lead to files', (document) => {
  const text = readFileSync(document, 'utf8').replaceAll(blocks, '');
  const links = Array.from(text.matchAll(/\]\((?!https?:)([^)#\s]+)/g), ([, link = '']) => link);
  expect(links.filter((link) => !existsSync(join(dirname(document), link)))).toEqual([]);
});
