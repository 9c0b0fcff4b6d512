import {globSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {axes} from '#test/support/axes.ts';

const page = readFileSync('test/fixtures/README.md', 'utf8');
const rows = [...page.matchAll(/^\| `(\w+)` \| `([^`]+)` \| .+ \|$/gm)].map(([, name = '', file = '']) => ({
  name,
  file,
}));

test('fixtures: the page has each fixture file once', () => {
  const files = globSync('test/**/*fixture*.{ts,tsx}').filter((file) => !/\.test\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(40);
  const times = (file: string) => page.split(`\`${file.slice('test/'.length)}\``).length - 1;
  expect(files.filter((file) => times(file) !== 1)).toEqual([]);
  const listed = rows.map(({file}) => file);
  expect(listed.filter((file, at) => listed.indexOf(file) !== at)).toEqual([]);
});

test('fixtures: the page has every axis with its values', () => {
  const listed = [...page.matchAll(/^\| `(\w+)` \| ([^`|]+) \| .+ \|$/gm)].map(([, name, values]) => [name, values]);
  expect(listed).toEqual(Object.entries(axes).map(([name, values]) => [name, values.join(', ')]));
});

test('fixtures: every file of the page exports the name beside it', () => {
  const wrong = rows.filter(({name, file}) => {
    const [path] = globSync(`test/${file}`);
    return path === undefined || !new RegExp(`^export .*\\b${name}\\b`, 'm').test(readFileSync(path, 'utf8'));
  });
  expect(wrong).toEqual([]);
});
