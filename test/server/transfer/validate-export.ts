import {otherTables, recordRules, tableRules} from './export-tables.ts';
import {traps} from './export-traps.ts';
import {type ReadExport, type Row, readExport} from './read-export.ts';

/** The result: a sentence for each violation, and how often each rule was applied. */
export interface Validation {
  readonly violations: readonly string[];
  readonly counts: ReadonlyMap<string, number>;
}

interface Key {
  readonly name: string;
  readonly isNullable: boolean;
  readonly isTime: boolean;
  readonly isNumber: boolean;
  readonly target: string | undefined;
  readonly maxLength: number | undefined;
}

function keysOf(words: string): Key[] {
  return [...words.matchAll(/(\w+)(!)?(@)?(#)?(?:>(\w+))?(?:<(\d+))?/g)].map(
    ([, name = '', nullable, time, number, target, length]) => ({
      name,
      isNullable: nullable !== undefined,
      isTime: time !== undefined,
      isNumber: number !== undefined,
      target,
      maxLength: length === undefined ? undefined : Number(length),
    }),
  );
}

/** Checks an unpacked export by all rules: those of each table and key, and those about several. */
export function validateExport(directory: string): Validation {
  const data = readExport(directory);
  const violations: string[] = [];
  const counts = new Map<string, number>();
  const apply = (rule: string, found: string | undefined) => {
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
    if (found !== undefined) violations.push(`${rule}: ${found}`);
  };
  checkTables(data, apply);
  checkRecords(data, apply);
  for (const {name, check} of traps) {
    counts.set(name, 0);
    for (const found of check(data)) apply(name, found);
  }
  return {violations, counts};
}

type Apply = (rule: string, found: string | undefined) => void;

function checkTables(data: ReadExport, apply: Apply): void {
  for (const name of data.tables.keys()) {
    const isKnown = Object.hasOwn(tableRules, name) || otherTables.includes(name);
    apply('the table is known', isKnown ? undefined : name);
  }
  for (const [table, {must, may = '', isOptional, hasNoIds}] of Object.entries(tableRules)) {
    if (isOptional !== true) apply('the table is there', data.tables.has(table) ? undefined : table);
    const [required, optional] = [keysOf(must), keysOf(may)];
    const known = new Set(['id', ...required, ...optional].map((key) => (typeof key === 'string' ? key : key.name)));
    const ids = new Set<unknown>();
    for (const row of data.rows(table)) {
      const place = `${table} ${row.id}`;
      if (hasNoIds !== true) {
        apply(
          'ids are whole numbers, once in a table',
          Number.isSafeInteger(row.id) && !ids.has(row.id) ? undefined : place,
        );
        ids.add(row.id);
      }
      const unknown = Object.keys(row).filter((key) => !known.has(key));
      apply('keys are known', unknown.length === 0 ? undefined : `${place}: ${unknown.join(' ')}`);
      for (const key of required) {
        apply(`${table}.${key.name} is there`, row[key.name] === undefined ? place : undefined);
      }
      for (const key of [...required, ...optional]) checkValue(data, table, key, row, apply);
      for (const text of Object.values(row)) {
        if (typeof text === 'string') apply('texts have no NUL', text.includes('\0') ? place : undefined);
      }
    }
  }
}

function checkValue(data: ReadExport, table: string, key: Key, row: Row, apply: Apply): void {
  const value = row[key.name];
  const rule = `${table}.${key.name}`;
  const place = `${row.id}: ${JSON.stringify(value)}`;
  if (value === undefined) return;
  if (value === null) {
    apply(`${rule} is not null`, key.isNullable ? undefined : place);
    return;
  }
  if (key.isTime) {
    apply(`${rule} is a time`, typeof value === 'number' && value >= 0 && value < 2 ** 38 ? undefined : place);
  }
  if (key.isNumber) apply(`${rule} is a whole number`, Number.isSafeInteger(value) ? undefined : place);
  if (key.target !== undefined) {
    apply(`${rule} is a row of ${key.target}`, data.has(key.target, value) ? undefined : place);
  }
  if (key.maxLength !== undefined) {
    apply(
      `${rule} has at most ${key.maxLength} characters`,
      [...String(value)].length > key.maxLength ? place : undefined,
    );
  }
}

function checkRecords(data: ReadExport, apply: Apply): void {
  for (const folder of ['uploads', 'avatars']) {
    apply('the list of files is there', data.folders.includes(folder) ? undefined : folder);
  }
  for (const folder of data.folders) {
    for (const record of data.records(folder)) {
      for (const {name} of keysOf(recordRules[folder] ?? '')) {
        apply(`${folder}/records.json: ${name} is there`, record[name] === undefined ? String(record.path) : undefined);
      }
    }
  }
}

/** `node test/server/transfer/validate-export.ts DIR` prints the rules, how often each was applied, and violations. */
if (import.meta.main) {
  const {violations, counts} = validateExport(process.argv[2] ?? '.');
  for (const [rule, count] of counts) console.log(`${String(count).padStart(9)}  ${rule}`);
  const checks = [...counts.values()].reduce((sum, count) => sum + count, 0);
  console.log(`\n${counts.size} rules, ${checks} checks, ${violations.length} violations`);
  for (const line of violations.slice(0, 50)) console.log(line);
}
