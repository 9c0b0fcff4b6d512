import {expect} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';
import {openTerminal} from '#test/support/terminal/open-terminal.ts';
import {parleyCommand} from '#test/support/terminal/parley-command.ts';
import {slowTest} from '#test/support/tier.ts';

/** V8's memory reducer waits this long after a collection in a quiet process, and as long again after much work. */
const reducerDelayMs = 8000;
/**
 * Collects garbage, and starts the program in the same process when V8's memory reducer has collected once more and will do so
 * again: `npm start` builds and runs the program in one process.
 */
const startsLate = `
  let garbage = Array.from({length: 1e6}, (_, at) => ({at}));
  garbage = undefined;
  const {Session} = require('node:inspector');
  const session = new Session();
  session.connect();
  session.post('HeapProfiler.collectGarbage', () =>
    setTimeout(() => import(process.argv[1]), ${reducerDelayMs + 300}),
  );
`;

/** The program must not change a flag of V8: the memory reducer aborts the process if its limit has become smaller. */
slowTest('memory: the program may start while V8 collects garbage in a quiet process', async () => {
  const server = await testServer();
  const meg = server.people.member('Meg Member');
  const {file, args, env, cwd} = parleyCommand({
    home: scratchDirectory(),
    signIn: {site: server.url, email: meg.email, apiKey: meg.apiKey},
  });
  const program = args.slice(-1);
  const terminal = openTerminal(file, [...args.slice(0, -1), '--memory-reducer', '-e', startsLate, ...program], {
    env,
    cwd,
  });
  await terminal.waitFor('Inbox');
  const ended = terminal.waitForExit();
  // The reducer's next event is no later than this; nothing tells of it.
  const running = new Promise((resolve) => setTimeout(resolve, reducerDelayMs + 4000, 'running'));
  expect(await Promise.race([ended, running])).toBe('running');
});
