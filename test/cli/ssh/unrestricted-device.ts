/** Tries what a session over SSH refuses, as if it refused nothing, and prints what came of it as JSON. */

import {existsSync, linkSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {terminalDevice} from '#cli/screen/terminal-device.ts';
import {terminalEnvironment} from '#terminal/environment.ts';
import {programRunner} from '#terminal/run-program.ts';

async function tryAll(): Promise<void> {
  const {home, foreign}: {home: string; foreign: string} = JSON.parse(await text(process.stdin));
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
  outcomes.ownFolder = existsSync(join(home, 'own')) ? 'done' : 'refused';
  process.stdout.write(JSON.stringify(outcomes), () => process.exit());
}

void tryAll();
