import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {openTides, twoUserFixture, usualSize} from './two-user-fixture.ts';

const chapter = readFileSync('assets/help/own-commands.md', 'utf8');
const block = (kind: string) => new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(chapter)?.[1] ?? '';

/** A home with the examples of the chapter, and stand-ins for the programs that they run, which save what they get. */
function homeWithExamples() {
  const home = scratchDirectory();
  const [config, bin] = [join(home, '.config/parley'), join(home, 'bin')];
  for (const folder of [config, bin]) mkdirSync(folder, {recursive: true, mode: 0o700});
  writeFileSync(join(config, 'commands.toml'), block('toml'), {mode: 0o600});
  writeFileSync(join(config, 'open-ticket'), block('sh'), {mode: 0o700});
  const program = (name: string, output: string) =>
    writeFileSync(
      join(bin, name),
      `#!/bin/sh\ncat > "$HOME/${name}.input"\nprintf '%s\\n' "$@" > "$HOME/${name}.args"\necho '${output}'\n`,
      {mode: 0o700},
    );
  program('curl', 'Ticket 4711 is open');
  program('trans', 'Die Springflut ist um vier.');
  program('llm', 'They leave at three.');
  const read = (name: string) => readFileSync(join(home, name), 'utf8');
  return {home, read, env: {PATH: `${bin}:${process.env.PATH}`}};
}

test('own commands: the examples of the chapter open a ticket, translate and summarize, and send nothing', async () => {
  const chat = await twoUserFixture();
  const hostile = 'Agreed $(touch pwned) `touch pwned`; touch pwned';
  const id = await chat.sendToTopic(chat.otto, 'tides', hostile);
  const before = await chat.topicMessages('tides');
  const {home, read, env} = homeWithExamples();
  const terminal = await openTides(chat, usualSize, {home, env});
  await terminal.waitFor('touch pwned');
  terminal.keys('G', 'Alt-t');
  await terminal.waitFor('commands.toml has changed: allow it?');
  terminal.keys('y');
  await terminal.waitFor('Ticket 4711 is open');
  expect(JSON.parse(read('curl.input'))).toMatchObject({message: {id, content: hostile, senderName: 'Otto Other'}});
  expect(read('curl.args')).toContain(`?from=chat&message=${id}\n`);
  terminal.keys('Alt-e');
  await terminal.waitFor('Die Springflut ist um vier.');
  expect(read('trans.input')).toBe(`${hostile.replaceAll('`', '')}\n`);
  terminal.keys('Esc', ';');
  await terminal.waitFor('Commands');
  terminal.type('summarize');
  await terminal.waitFor('▌Summarize');
  terminal.keys('Enter');
  await terminal.waitFor('They leave at three.');
  expect(read('llm.input')).toContain('Otto Other: The spring tide is at four.\nMeg Member: Then we leave at three.\n');
  expect(await chat.topicMessages('tides')).toEqual(before);
  expect(existsSync(join(home, 'pwned'))).toBe(false);
});
