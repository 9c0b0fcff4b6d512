import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {ExportedMessage} from '#cli/export/export-messages.ts';
import {verbFixture} from '#test/cli/verbs/verb-fixture.ts';
import {MessageFixtureWriter} from '#test/server/message-fixtures.ts';
import {testServer} from '#test/support/server.ts';

/** A server with Meg and Otto in #general; Meg exports. */
export async function exportFixture(options: Parameters<typeof testServer>[0] = {}) {
  const server = await testServer({testHooks: true, rateLimited: false, ...options});
  const [meg, otto] = [server.people.member('Meg Moon'), server.people.member('Otto Other')];
  const general = server.people.channel('general', [meg, otto]);
  const writer = new MessageFixtureWriter(server.context);
  const hook = async (name: string, body: object) => {
    const init = {method: 'POST', body: JSON.stringify(body)};
    if (!(await fetch(`${server.url}/test-hooks/${name}`, init)).ok) throw new Error(`The hook ${name} failed.`);
  };
  const verb = verbFixture(server, meg);
  const say = async (content: string, topic = 'lunch'): Promise<number> =>
    (await server.as(otto).post('/messages', {type: 'stream', to: 'general', topic, content})).id;
  const upload = async (name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
    String((await server.as(otto).upload('/user_uploads', name, bytes)).body.url);
  const read = (...names: string[]): string => readFileSync(join(verb.home, ...names), 'utf8');
  /** The pages of a format, by the beginning of their names, joined. */
  const pages = (format: 'html' | 'md', beginning = ''): string =>
    readdirSync(join(verb.home, 'out', format))
      .filter((name) => name.startsWith(beginning))
      .toSorted()
      .map((name) => read('out', format, name))
      .join('');
  const messages = (): ExportedMessage[] =>
    read('out', 'messages.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  /** Writes many messages of Otto, faster than by requests. */
  const flood = (count: number) => server.context.db.transaction(() => writer.flood(otto, general, count, 'lunch'));
  return {server, hook, flood, meg, otto, say, upload, read, pages, messages, ...verb};
}
