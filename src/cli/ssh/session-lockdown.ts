import {readProgramFile} from '#std/program-files.ts';

const [attach, deny] = [24, 1];

/**
 * Takes away what the permission model of Node 24 leaves to code in this process: a thread with options of its own would have all
 * permissions, and SQLite opens every file. From now on there are only the threads of the program, and databases in the person's folder,
 * where a conversion also keeps a copy. What others could replace later is read first: this must hold when everything else in the process
 * is under control of somebody else.
 */
export function lockDown(folder: string): void {
  const threads = process.getBuiltinModule('node:worker_threads');
  const [highlight, image] = ['highlight', 'image'].map((name) =>
    readProgramFile(`${name}-thread.cjs`).toString('latin1'),
  );
  replaceClass(threads, 'Worker', (Worker, code, {resourceLimits, workerData}) => {
    if (code !== highlight && code !== image) throw new Error('Only threads of the program can be started.');
    const options = {eval: true, stdout: true, stderr: true, env: {}, execArgv: undefined, resourceLimits, workerData};
    const thread: object = Reflect.construct(Worker, [code, {__proto__: null, ...options}]);
    return thread;
  });
  const module = process.getBuiltinModule('node:module');
  // Its hooks are a thread, too.
  Object.assign(module, {register: undefined});

  const sqlite = process.getBuiltinModule('node:sqlite');
  const {prototype} = sqlite.DatabaseSync;
  const [startsWith, includes] = [bound(String.prototype.startsWith), bound(String.prototype.includes)];
  // Node 22 lacks it.
  const {setAuthorizer}: Partial<typeof prototype> = prototype;
  const authorize = setAuthorizer && bound(setAuthorizer);
  const isOwn = (path: unknown) =>
    path === ':memory:' ||
    (typeof path === 'string' && startsWith(path, `${folder}/`) && !includes(`${path}/`, '/../'));
  replaceClass(sqlite, 'DatabaseSync', (Database, path, options) => {
    if (!isOwn(path)) throw new Error('Only databases in the own folder can be opened.');
    const db = new Database(path, {__proto__: null, readOnly: options?.readOnly === true});
    authorize?.(db, (action: number, attached: unknown) => (action === attach && !isOwn(attached) ? deny : 0));
    return db;
  });
  Object.assign(sqlite, {backup: undefined});
  for (const name of ['setAuthorizer', 'open', 'deserialize', 'loadExtension']) Reflect.deleteProperty(prototype, name);
  module.syncBuiltinESMExports();
}

// biome-ignore lint/suspicious/noExplicitAny: the arguments are not known to be what they should be
type Construct = (original: any, first: unknown, second: any) => object;

/** Replaces a class of a module of Node, so that nothing leads to the original one. */
function replaceClass(exported: object, name: string, construct: Construct): void {
  const original = Reflect.get(exported, name);
  const replacement = new Proxy(original, {construct: (target, [first, second]) => construct(target, first, second)});
  original.prototype.constructor = replacement;
  Object.assign(exported, {[name]: replacement});
}

/** Returns a function that calls another one, also after its prototype was changed. */
function bound<T, A extends readonly unknown[], R>(called: (this: T, ...args: A) => R): (self: T, ...args: A) => R {
  return Function.prototype.call.bind(called) as never;
}
