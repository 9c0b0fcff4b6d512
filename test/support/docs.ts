/** npm run docs: regenerates the manual's tables. */
import {readFileSync, writeFileSync} from 'node:fs';
import {manualTables, withTable} from './manual-tables.ts';

for (const table of manualTables) writeFileSync(table.file, withTable(readFileSync(table.file, 'utf8'), table));
