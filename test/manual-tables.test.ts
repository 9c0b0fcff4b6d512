import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {manualTables, withTable} from '#test/support/manual-tables.ts';

test.each(manualTables)('manual: the table “$name” in $file equals its records', (table) => {
  const chapter = readFileSync(table.file, 'utf8');
  expect(chapter).toBe(withTable(chapter, table));
});
