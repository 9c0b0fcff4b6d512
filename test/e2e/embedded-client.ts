/** A client process for the tests of the demo server: prints its account, and ends when its standard input ends. */
import {openEmbeddedServer} from '#cli/embedded/embedded-server.ts';
import {pathsOf} from '#config/paths.ts';
import {systemClock} from '#std/clock.ts';

const [home, grace = '0'] = process.argv.slice(2);
if (home === undefined) throw new Error('Name the home directory of the client.');
const server = await openEmbeddedServer({
  paths: pathsOf({}, home),
  env: process.env,
  clock: systemClock,
  graceSeconds: Number(grace),
});
const {id, site, email, key} = server.account;
process.stdout.write(`${JSON.stringify({id, site, email, key: await key()})}\n`);
for await (const _ of process.stdin);
await server.release();
