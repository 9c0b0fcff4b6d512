import {execFileSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {createServer, request} from 'node:http';
import {join, resolve} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {parseServeOptions, type ServeOptions, serveHelp} from '#cli/serve/serve-options.ts';
import {passwordLink} from '#server/accounts/password.ts';
import {findUser} from '#server/db/users.ts';
import {ApiClient} from '#test/support/api-client.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';

/** Returns a file in the chapter, by the language of its code block. */
function fileIn(language: string): string {
  const chapter = readFileSync('assets/help/deploying.md', 'utf8');
  const [, text] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(chapter) ?? [];
  if (text === undefined) throw new Error(`The chapter has no ${language}`);
  return text;
}

function serveOptions(command: readonly string[]): ServeOptions {
  const at = command.indexOf('serve');
  const options = parseServeOptions(command.slice(at + 1), {});
  if (options === 'help') throw new Error('No help was asked for');
  return options;
}

const unitCommand = () => (/^ExecStart=(.*)$/m.exec(fileIn('ini'))?.[1] ?? '').split(' ');

function containerCommand(): readonly string[] {
  const [entry = '[]', command = '[]'] = ['ENTRYPOINT', 'CMD'].map(
    (name) => new RegExp(`^${name} (.*)$`, 'm').exec(fileIn('dockerfile'))?.[1],
  );
  return [...JSON.parse(entry), ...JSON.parse(command)];
}

function hasSystemd(): boolean {
  try {
    execFileSync('systemd-analyze', ['--version'], {stdio: 'ignore'});
    return true;
  } catch {
    return false;
  }
}

test('deploying: the unit and the container start a server at the port of the proxies, with the address of users', () => {
  const ports = ['nginx', 'caddy'].map((name) => Number(/127\.0\.0\.1:(\d+)/.exec(fileIn(name))?.[1]));
  const both = {port: ports[0], publicUrl: 'https://chat.example.com', trustsProxy: true};
  expect(ports[1]).toBe(ports[0]);
  expect(serveOptions(unitCommand())).toMatchObject({...both, host: '127.0.0.1', directory: '/var/lib/parley'});
  expect(serveOptions(containerCommand())).toMatchObject({...both, host: '0.0.0.0', directory: '/data'});
  expect(fileIn('dockerfile')).toContain(`EXPOSE ${ports[0]}\n`);
});

test('deploying: every option of parley serve in the chapter exists', () => {
  const commands = readFileSync('assets/help/deploying.md', 'utf8')
    .split('\n')
    .filter((line) => /parley serve --/.test(line))
    .map((line) =>
      line
        .slice(line.indexOf('parley serve'))
        .replace(/\s#.*$/, '')
        .split(' '),
    );
  expect(commands.length).toBeGreaterThan(1);
  for (const command of commands) expect(serveOptions(command).directory).toBe('/var/lib/parley');
  expect(serveHelp).toContain('“parley help deploying”');
});

test('deploying: the container is made of the file that npm run package makes', () => {
  const [, copied = ''] = /^COPY (dist\S+ dist\S+) /m.exec(fileIn('dockerfile')) ?? [];
  expect(copied.split(' ')).toHaveLength(2);
  const source = readFileSync('src/build/package.ts', 'utf8');
  for (const file of copied.split(' ')) expect(source).toContain(`\`${file}\``);
});

test.skipIf(!hasSystemd())('deploying: systemd accepts the unit', () => {
  const file = join(scratchDirectory(), 'parley.service');
  writeFileSync(file, fileIn('ini').replace('/usr/local/bin/parley', resolve('src/parley.js')));
  expect(() => execFileSync('systemd-analyze', ['verify', '--man=no', file], {stdio: 'pipe'})).not.toThrow();
});

test.skipIf(!hasSystemd())(
  'deploying: the unit leaves open at most 4 of 10, and the units of the backup are accepted',
  () => {
    const directory = scratchDirectory();
    const unit = join(directory, 'parley.service');
    writeFileSync(unit, fileIn('ini').replace('/usr/local/bin/parley', resolve('src/parley.js')));
    const rated = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], {
      encoding: 'utf8',
    });
    expect(Number(/Overall exposure level for parley\.service: ([\d.]+)/.exec(rated)?.[1])).toBeLessThanOrEqual(4);
    const chapter = readFileSync('assets/help/operating.md', 'utf8');
    for (const [language, name] of [
      ['ini', 'parley-backup.service'],
      ['systemd-timer', 'parley-backup.timer'],
    ]) {
      const [, text = ''] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(chapter) ?? [];
      writeFileSync(join(directory, name ?? ''), text.replace('/usr/local/bin/parley', resolve('src/parley.js')));
    }
    const units = ['parley-backup.timer', 'parley-backup.service'].map((name) => join(directory, name));
    expect(() => execFileSync('systemd-analyze', ['verify', '--man=no', ...units], {stdio: 'pipe'})).not.toThrow();
  },
);

/** A proxy that does what the files of the chapter tell nginx and Caddy. */
async function proxyTo(port: number): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const headers = {...incoming.headers, host: 'chat.example.com', 'x-forwarded-for': '198.51.100.7'};
    const {method, url: path} = incoming;
    const sent = request({host: '127.0.0.1', port, method, path, headers}, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  await new Promise((done) => proxy.once('listening', done));
  const address = proxy.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

test('deploying: behind a proxy, a waiting poll gets its event and links have the address of users', async () => {
  const {publicUrl = '', trustsProxy} = serveOptions(unitCommand());
  const addresses: (string | undefined)[] = [];
  const server = await testServer({publicUrl, trustsProxy, onEvent: ({address}) => addresses.push(address)});
  const url = await proxyTo(server.port);
  const owner = server.people.owner();
  const client = new ApiClient(url, owner);
  const queue = await client.listen({event_types: ['realm_domains']});
  const next = queue.next();
  await client.post('/realm/domains', {domain: 'sea.example', allow_subdomains: false});
  expect(await next).toMatchObject([{type: 'realm_domains', op: 'add'}]);
  const {invite_link} = await client.post('/invites/multiuse', {stream_ids: []});
  expect(invite_link).toMatch(/^https:\/\/chat\.example\.com\/join\//);
  const user = findUser(server.context.db, owner.id);
  if (user === undefined) throw new Error('The owner exists');
  const link = passwordLink(server.context, user).url.replace(publicUrl, url);
  const page = await fetch(link);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Set your password')]);
  const body = new URLSearchParams({password: 'correct horse'});
  expect((await fetch(link, {method: 'POST', headers: {origin: publicUrl}, body})).status).toBe(200);
  expect(new Set(addresses)).toEqual(new Set(['198.51.100.7']));
});
