import {createContext, Script} from 'node:vm';
import highlighter, {type TreeNode} from 'highlight.js/lib/core.js';
import {grammars} from './highlight-grammars.ts';

/** The scopes of the code; undefined when that takes too long. Loaded only once there is code to colour. */
export async function highlightTree(
  grammar: string,
  code: string,
  patience: number,
): Promise<TreeNode | undefined> {
  await load(grammar);
  const tree = (): TreeNode | undefined => {
    const {emitter, errorRaised} = highlighter.highlight(code, {language: grammar, ignoreIllegals: true});
    return errorRaised === undefined ? emitter.root : undefined;
  };
  const found = withinTime(patience, tree);
  if (found !== undefined) return found;
  // Perhaps the machine was busy, not the code hard. In a turn of its own, so that keys are heard in between.
  await new Promise((resolve) => setImmediate(resolve));
  return withinTime(patience, tree);
}

const loads = new Map<string, Promise<void>>();

/** A grammar and those its embedded code is in, and theirs. */
async function load(name: string): Promise<void> {
  const names = new Set([name]);
  for (const each of names) for (const other of grammars.get(each)?.needs ?? []) names.add(other);
  await Promise.all(Array.from(names, loadOne));
}

function loadOne(name: string): Promise<void> {
  let loading = loads.get(name);
  if (loading === undefined) {
    loading = register(name);
    loads.set(name, loading);
  }
  return loading;
}

async function register(name: string): Promise<void> {
  const source = grammars.get(name);
  // It says on the terminal when it does not know a language, so it is never asked for one.
  if (source === undefined) throw new Error(`No grammar ${name}`);
  highlighter.registerLanguage(name, (await source.load()).default);
  // A grammar's patterns are compiled when it is first used; that time is not the code's.
  highlighter.highlight('', {language: name, ignoreIllegals: true});
}

const scope = createContext({});
const run = new Script('task()');

/** Gives up on `task` after a while, even inside a regular expression: the engine itself stops it. */
function withinTime<T>(patience: number, task: () => T): T | undefined {
  let result: T | undefined;
  scope.task = () => {
    result = task();
  };
  try {
    run.runInContext(scope, {timeout: patience});
    return result;
  } catch {
    return undefined;
  } finally {
    delete scope.task;
  }
}
