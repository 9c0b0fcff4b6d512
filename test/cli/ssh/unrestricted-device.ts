/** Tries what a session over SSH refuses, as if it refused nothing, and prints what came of it as JSON. */

import {fork} from 'node:child_process';
import {once} from 'node:events';
import {
  cpSync,
  existsSync,
  linkSync,
  openAsBlob,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {open as openInspector, Session} from 'node:inspector';
import {createRequire, register} from 'node:module';
import {connect} from 'node:net';
import path, {dirname, join} from 'node:path';
import {backup, DatabaseSync} from 'node:sqlite';
import {text} from 'node:stream/consumers';
import {writeHeapSnapshot} from 'node:v8';
import {WASI} from 'node:wasi';
import {Worker} from 'node:worker_threads';
import {terminalDevice} from '#cli/screen/terminal-device.ts';
import {lockDown} from '#cli/ssh/session-lockdown.ts';
import {keepDatabaseCopy} from '#std/keep-database-copy.ts';
import {readProgramFile, setProgramFiles} from '#std/program-files.ts';
import {Database} from '#storage/database.ts';
import {terminalEnvironment} from '#terminal/environment.ts';
import {programRunner} from '#terminal/run-program.ts';

/** Runs code in a thread; rejects if it throws. */
async function inThread(code: string, execArgv: string[] = process.execArgv, Thread = Worker): Promise<void> {
  const thread = new Thread(code, {eval: true, execArgv});
  const failure = await Promise.race([once(thread, 'exit').then(() => undefined), once(thread, 'error')]);
  if (failure !== undefined) throw failure[0];
}

async function tryAll(): Promise<void> {
  const {home, foreign, data}: {home: string; foreign: string; data: string} = JSON.parse(await text(process.stdin));
  setProgramFiles({folder: dirname(process.argv[1] ?? ''), command: {file: '', args: []}});
  lockDown(home);
  const env = {HOME: foreign, EDITOR: '/bin/true', BROWSER: '/bin/true', TERM: 'xterm', DISPLAY: ':0'};
  const environment = terminalEnvironment(env, true);
  const device = terminalDevice({
    env,
    environment: () => environment,
    capabilities: () => ({osc52: false, notifications: undefined, progress: false}) as never,
    write: () => {},
    runtimeDirectory: home,
    stateDirectory: home,
    lend: (body) => body(),
    redraw: () => {},
    suspend: () => {},
    quit: () => {},
  });

  const attempts: Readonly<Record<string, () => unknown>> = {
    attachFile: () => device.readFile('/etc/passwd'),
    attachForeign: () => device.readFile(join(foreign, 'drafts')),
    attachThroughParent: () => device.readFile(`${home}/../${foreign.split('/').at(-1)}/drafts`),
    listFiles: () => device.listFiles('/etc'),
    listForeign: () => readdirSync(foreign),
    edit: () => device.edit('text', []),
    open: async () => {
      const said = await device.open('https://example.org');
      if (!said.startsWith('Opened')) throw new Error(said);
    },
    copyByProgram: async () => {
      const outcome = await programRunner(env)('/bin/true', [], '');
      if (outcome.kind === 'failed') throw new Error(outcome.problem);
    },
    save: () => device.saveFile('/../../escaped', [] as never),
    writeForeign: () => writeFileSync(join(foreign, 'drafts'), 'changed'),
    linkForeign: () => symlinkSync(foreign, join(home, 'link')),
    hardLinkForeign: () => linkSync(join(foreign, 'drafts'), join(home, 'copy')),
    // Links lead out of a folder, so none can be made, however it is named.
    linkRelative: () => symlinkSync('../../people/2', join(home, 'relative')),
    linkOfBytes: () => symlinkSync(Buffer.from(foreign), Buffer.from(join(home, 'bytes'))),
    copyLink: () => cpSync('/proc/self', join(home, 'self'), {recursive: true, verbatimSymlinks: true}),
    replaceOwnFolder: () => {
      renameSync(home, `${home}-moved`);
      symlinkSync(foreign, home);
    },
    listSessions: () => readdirSync(dirname(home)),
    listProgramOfOthers: () => readdirSync(dirname(dirname(home))),
    readByBytes: () => readFileSync(Buffer.from(`${home}/../../people/2/drafts`)),
    readByUrl: () => readFileSync(new URL(`file://${home}/%2e%2e/%2e%2e/people/2/drafts`)),
    readWithOtherResolve: () => {
      const {resolve, normalize, toNamespacedPath} = path;
      try {
        Object.assign(path, {resolve: () => join(home, 'x'), normalize: () => home, toNamespacedPath: () => home});
        return readFileSync(join(foreign, 'drafts'));
      } finally {
        Object.assign(path, {resolve, normalize, toNamespacedPath});
      }
    },
    readWithOtherBytes: () => {
      const {utf8Write} = Buffer.prototype as never;
      try {
        Object.assign(Buffer.prototype, {utf8Write: () => 0});
        return readFileSync(`${home}/../../people/2/drafts`);
      } finally {
        Object.assign(Buffer.prototype, {utf8Write});
      }
    },
    readAsBlob: async () => (await openAsBlob(join(foreign, 'drafts'))).text(),
    readOperatorKey: () => readFileSync(join(data, 'operator_key')),
    loadModule: () => createRequire('/')(join(foreign, 'drafts')),
    importModule: () => import(join(foreign, 'module.mjs')),
    nativeCode: () => process.dlopen({exports: {}}, '/lib/x86_64-linux-gnu/libm.so.6'),
    binding: () => Reflect.get(process, 'binding')('fs'),
    wasi: () => new WASI({version: 'preview1', preopens: {'/': '/'}}),
    inspector: () => openInspector(0),
    inspectorSession: () => new Session().connect(),
    reportFile: () => process.report.writeReport(join(foreign, 'report')),
    heapFile: () => writeHeapSnapshot(join(foreign, 'heap')),
    changeFolder: () => process.chdir('/etc'),
    fork: () => fork('/bin/true'),
    threadReads: () => inThread(`require('node:fs').readFileSync(${JSON.stringify(join(foreign, 'drafts'))})`),
    threadWithOtherOptions: () =>
      inThread(`require('node:fs').readFileSync('/etc/passwd')`, ['--permission', '--allow-fs-read=*']),
    threadWithoutOptions: () => inThread(`require('node:fs').readFileSync('/etc/passwd')`, []),
    threadOfInstance: () => inThread('', [], Reflect.get(Worker.prototype, 'constructor')),
    threadOfImport: async () => inThread('', [], (await import(['node', 'worker_threads'].join(':'))).Worker),
    threadOfHooks: () => register('data:text/javascript,'),
    threadStartsProgram: () => inThread(`require('node:child_process').execFileSync('/bin/true')`),
    attachForeignDatabase: () => new Database(join(home, 'own.db')).exec(`ATTACH '${foreign}/copy.db' AS other`),
    copyDatabaseThere: () => new Database(join(home, 'own.db')).exec(`VACUUM INTO '${foreign}/copy.db'`),
    loadExtension: () => new DatabaseSync(':memory:').loadExtension('/lib/x86_64-linux-gnu/libm.so.6'),
    openForeignDatabase: () => new DatabaseSync(join(foreign, 'own.db')).exec('SELECT * FROM secret'),
    openForeignByParent: () => new DatabaseSync(`${home}/../../people/2/own.db`).exec('SELECT * FROM secret'),
    openForeignByUrl: () => new DatabaseSync(new URL(`file://${foreign}/own.db`)).exec('SELECT * FROM secret'),
    openForeignByText: () => new DatabaseSync(`file:${foreign}/own.db?immutable=1`).exec('SELECT * FROM secret'),
    openForeignByInstance: () => {
      const Original = Reflect.get(DatabaseSync.prototype, 'constructor');
      new Original(join(foreign, 'own.db'));
    },
    attachByOwnDatabase: () => new DatabaseSync(join(home, 'own.db')).exec(`ATTACH '${foreign}/own.db' AS other`),
    attachByParent: () => new Database(join(home, 'own.db')).exec(`ATTACH '${home}/../../people/2/own.db' AS other`),
    attachByUrl: () => new Database(join(home, 'own.db')).exec(`ATTACH 'file:${foreign}/own.db?mode=ro' AS other`),
    attachByValue: () => new Database(join(home, 'own.db')).run('ATTACH ? AS other', join(foreign, 'own.db')),
    attachByExpression: () => new Database(join(home, 'own.db')).exec(`ATTACH '${foreign}' || '/own.db' AS other`),
    backUpThere: () => backup(new DatabaseSync(join(home, 'own.db')), join(foreign, 'copy.db')),
    reopen: () => new DatabaseSync(join(home, 'own.db')).open(),
    // These are not limited by the permission model of Node 24, as the manual says.
    signalParent: () => process.kill(process.ppid, 0),
    connectToOperatorSocket: async () => {
      const socket = connect(join(data, 'clients.sock'));
      await once(socket, 'connect');
      socket.destroy();
    },
    readEnvironmentOfParent: () => readFileSync(`/proc/${process.ppid}/environ`),
  };
  const outcomes: Record<string, string> = {};
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      await attempt();
      outcomes[name] = 'done';
    } catch {
      outcomes[name] = 'refused';
    }
  }
  writeFileSync(join(home, 'own'), 'own');
  new DatabaseSync(join(home, 'own.db')).exec('CREATE TABLE own (value)');
  // As a newer program does before it converts saved data.
  keepDatabaseCopy(new Database(join(home, 'own.db')), join(home, 'own.db'), 2);
  new Worker(readProgramFile('highlight-thread.cjs').toString('latin1'), {eval: true}).unref();
  outcomes.ownFolder = existsSync(join(home, 'own')) ? 'done' : 'refused';
  process.stdout.write(JSON.stringify(outcomes), () => process.exit());
}

void tryAll();
