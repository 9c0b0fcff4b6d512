import {type Stats, statSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {LoadedRules} from '#app/core/host.ts';
import {refuseReadOnly} from '#config/change-setting.ts';
import {
  ConfigError,
  ensurePrivateDirectory,
  isOurs,
  orConfigError,
  readSmallFile,
  writePrivateFile,
} from '#config/private-files.ts';
import {type FilePosition, fileProblemText, readTableFile} from '#config/table-file.ts';
import {type CompilePattern, checkRule, type Rule, ruleKeys} from '#state/rules/rule.ts';
import {errorText} from '#std/error-text.ts';
import {withOpeningLock} from '#storage/database.ts';

const maxBytes = 1024 * 1024;
/** So many rules are checked in one turn. */
const rulesPerTurn = 100;

/** Where the rules are. */
interface RulesPlace {
  readonly file: string;
  /** The file as it is shown. */
  readonly shown: string;
  /** Where the lock of the file is. */
  readonly lockDirectory: string;
}

/** Reads the rules of the file; none when it does not exist. */
export async function readRulesFile({file, shown}: RulesPlace, now: number): Promise<LoadedRules> {
  const text = orConfigError(() => readText(file, shown));
  if (text instanceof ConfigError) return {...noRules, problems: [text.message]};
  return readRules(text ?? '', shown, now);
}

const noRules: LoadedRules = {rules: [], problems: [], problemText: ({text}) => text};

/** Returns the text of the file; undefined when there is none. Throws a ConfigError when its rules must not be used. */
function readText(file: string, shown: string): string | undefined {
  const stats = statsOf(file, shown);
  if (stats === undefined) return undefined;
  // A pipe or a device would be read without end.
  if (!stats.isFile()) throw new ConfigError(`${shown} is not a file. Its rules are not used.`);
  if (!isOurs(stats) && stats.uid !== 0) {
    throw new ConfigError(`${shown}: another user owns the file. Its rules are not used.`);
  }
  const others = stats.gid === stats.uid ? 0o002 : 0o022;
  if ((stats.mode & others) !== 0) {
    throw new ConfigError(`${shown}: others may change the file. Its rules are not used. Make it private: chmod 600.`);
  }
  return readSmallFile(file, maxBytes);
}

function statsOf(file: string, shown: string): Stats | undefined {
  try {
    return statSync(file, {throwIfNoEntry: false});
  } catch (error) {
    throw new ConfigError(`${shown} cannot be read: ${errorText(error)}.`);
  }
}

/** Reads the rules. A rule with a problem is left out; the others are used. */
async function readRules(text: string, shown: string, now: number): Promise<LoadedRules> {
  const {tables, problems} = readTableFile(text, 'rule', ruleKeys);
  const found = [...problems];
  const positions = new Map<Rule, (key?: string) => FilePosition>();
  const names = new Set<string>();
  const compile = await patternCompiler(tables.some(({values}) => values.regex ?? values.topic_regex));
  for (const [index, {values, positionOf}] of tables.entries()) {
    if (index % rulesPerTurn === rulesPerTurn - 1) await nextTurn();
    const rule = checkRule(values, names, now, compile);
    if ('text' in rule) found.push({...positionOf(rule.key), text: rule.text});
    else {
      names.add(rule.name);
      positions.set(rule, positionOf);
    }
  }
  found.sort((a, b) => a.line - b.line || a.column - b.column);
  return {
    rules: [...positions.keys()],
    problems: found.map((problem) => fileProblemText(shown, problem)),
    problemText: ({rule, key, text: problem}) => {
      const position = positions.get(rule)?.(key) ?? {line: 1, column: 1};
      return fileProblemText(shown, {...position, text: problem});
    },
  };
}

/** Loads RE2 only for rules with a regular expression. */
async function patternCompiler(isNeeded: boolean): Promise<CompilePattern> {
  if (!isNeeded) return () => ({problem: 'regular expressions are not loaded.'});
  return (await import('#content/compile-pattern.ts')).compilePattern;
}

/** Adds a rule to the end of the file. Throws a ConfigError and changes nothing when the rule has a problem. */
export async function appendRule({file, shown, lockDirectory}: RulesPlace, toml: string, now: number): Promise<void> {
  const [problem] = (await readRules(toml, '', now)).problems;
  if (problem !== undefined) throw new ConfigError(problem.replace(/^.*? column \d+: /, ''));
  ensurePrivateDirectory(lockDirectory);
  withOpeningLock(join(lockDirectory, basename(file)), () => {
    const before = readText(file, shown);
    const gap = before === undefined || before === '' ? '' : before.endsWith('\n') ? '\n' : '\n\n';
    const after = `${before ?? ''}${gap}${toml}`;
    if (Buffer.byteLength(after) > maxBytes) throw new ConfigError(`${shown} is too large for another rule.`);
    if (before === undefined) ensurePrivateDirectory(dirname(file));
    else refuseReadOnly(file, 'to add rules');
    writePrivateFile(file, after, before === undefined ? undefined : statSync(file).mode & 0o777);
  });
}
