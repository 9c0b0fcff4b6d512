import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {manualTopics} from '#content/manual/manual-topics.ts';
import {manualTables, withTable} from '#test/support/manual-tables.ts';

test.each(manualTables)('manual: the table “$name” in $file equals its records', (table) => {
  const chapter = readFileSync(table.file, 'utf8');
  expect(chapter).toBe(withTable(chapter, table));
});

test('README: links every chapter of the manual', () => {
  const readme = readFileSync('README.md', 'utf8');
  const missing = manualTopics.filter(({id, title}) => !readme.includes(`- [${title}](assets/help/${id}.md)\n`));
  expect(missing).toEqual([]);
});
