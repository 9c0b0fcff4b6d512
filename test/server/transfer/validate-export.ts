import {caseKey} from '#server/transfer/export/export-context.ts';
import {otherTables, recordRules, tableRules} from './export-tables.ts';
import {traps} from './export-traps.ts';
import {messageTraps} from './message-traps.ts';
import {type ReadExport, type Row, readExport} from './read-export.ts';

/** The result: a sentence for each violation, and how often each rule was applied. */
interface Validation {
  readonly violations: readonly string[];
  readonly counts: ReadonlyMap<string, number>;
}

/** A key of a table, with the names of its rules. */
interface Key {
  readonly name: string;
  readonly isNullable: boolean;
  readonly target: string | undefined;
  readonly maxLength: number;
  readonly bits: number;
  readonly rules: Readonly<Record<'there' | 'null' | 'time' | 'number' | 'row' | 'length', string | undefined>>;
}

function keysOf(table: string, words: string): Key[] {
  return [...words.matchAll(/(\w+)(!)?(@)?(#{1,2})?(?:>(\w+))?(?:<(\d+))?/g)].map(
    ([, name = '', nullable, time, number, target, length]) => ({
      name,
      isNullable: nullable !== undefined,
      target,
      maxLength: Number(length),
      bits: number === '##' ? 16 : 32,
      rules: {
        there: `${table}.${name} is there`,
        null: `${table}.${name} is not null`,
        time: time && `${table}.${name} is a time`,
        number: number && `${table}.${name} is a whole number of ${number === '##' ? 16 : 32} bits`,
        row: target && `${table}.${name} is a row of ${target}`,
        length: length && `${table}.${name} has at most ${length} characters`,
      },
    }),
  );
}

/** The last second that Python's dates have. */
const endOfYear9999 = 253_402_300_799;

/** Checks an unpacked export, or its directory, by all rules: those of each table and key, and those about several. */
export function validateExport(source: string | ReadExport): Validation {
  const data = typeof source === 'string' ? readExport(source) : source;
  const violations: string[] = [];
  const counts = new Map<string, number>();
  const apply: Apply = (rule, isKept, place) => {
    if (rule === undefined) return;
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
    if (!isKept) violations.push(`${rule}: ${place()}`);
  };
  checkTables(data, apply);
  checkRecords(data, apply);
  for (const {name, check} of [...traps, ...messageTraps]) {
    counts.set(name, 0);
    for (const found of check(data)) apply(name, found === undefined, () => String(found));
  }
  return {violations, counts};
}

type Apply = (rule: string | undefined, isKept: boolean, place: () => string) => void;

function checkTables(data: ReadExport, apply: Apply): void {
  for (const name of data.tables.keys()) {
    apply('the table is known', Object.hasOwn(tableRules, name) || otherTables.includes(name), () => name);
  }
  for (const [table, {must, may = '', unique = [], isOptional, hasNoIds}] of Object.entries(tableRules)) {
    if (isOptional !== true) apply('the table is there', data.tables.has(table), () => table);
    const required = keysOf(table, must);
    const keys = [...required, ...keysOf(table, may)];
    const known = new Set(['id', ...keys.map(({name}) => name)]);
    const ids = new Set<unknown>();
    for (const row of data.rows(table)) {
      const place = () => `${table} ${row.id}`;
      if (hasNoIds !== true) {
        apply('ids are whole numbers, once in a table', Number.isSafeInteger(row.id) && !ids.has(row.id), place);
        ids.add(row.id);
      }
      for (const {name, rules} of required) apply(rules.there, row[name] !== undefined, place);
      for (const key of keys) checkValue(data, key, row, apply);
      for (const [key, value] of Object.entries(row)) {
        apply('keys are known', known.has(key), () => `${place()}: ${key}`);
        if (typeof value !== 'string') continue;
        apply('texts have no NUL', !value.includes('\0'), place);
        apply('texts have no halves of surrogate pairs', value.isWellFormed(), place);
      }
    }
    for (const keys of unique) checkUnique(data, table, keys, apply);
  }
}

function checkUnique(data: ReadExport, table: string, words: string, apply: Apply): void {
  const [keys = '', exception = ''] = words.split(' unless ');
  const seen = new Set<string>();
  for (const row of data.rows(table)) {
    if (row[exception] === true) continue;
    const values = keys.split(' ').map((key) => {
      const value = row[key.replace('~', '')];
      return key.endsWith('~') ? caseKey(String(value)) : value;
    });
    const value = JSON.stringify(values);
    apply(`${table}: no two rows share ${words}`, !seen.has(value), () => value);
    seen.add(value);
  }
}

function checkValue(
  data: ReadExport,
  {name, rules, isNullable, target, maxLength, bits}: Key,
  row: Row,
  apply: Apply,
): void {
  const value = row[name];
  const place = () => `${row.id}: ${JSON.stringify(value)}`;
  if (value === undefined) return;
  if (value === null) {
    apply(rules.null, isNullable, place);
    return;
  }
  apply(rules.time, typeof value === 'number' && value >= 0 && value <= endOfYear9999, place);
  apply(rules.number, Number.isInteger(value) && Math.abs(Number(value)) < 2 ** (bits - 1), place);
  if (target !== undefined) apply(rules.row, data.has(target, value), place);
  if (rules.length !== undefined) apply(rules.length, [...String(value)].length <= maxLength, place);
}

function checkRecords(data: ReadExport, apply: Apply): void {
  for (const folder of ['uploads', 'avatars']) {
    apply('the list of files is there', data.folders.includes(folder), () => folder);
  }
  for (const folder of data.folders) {
    for (const record of data.records(folder)) {
      for (const {name, rules} of keysOf(`${folder}/records.json`, recordRules[folder] ?? '')) {
        apply(rules.there, record[name] !== undefined, () => String(record.path));
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
