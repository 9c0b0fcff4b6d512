import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {loadCommandsAndKeys} from '#cli/load-user-keys.ts';
import {KeyRouter} from '#commands/key-router.ts';
import {pathsOf} from '#config/paths.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {parseKeyName} from '#terminal/input/key.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {listFixture, loadedConversations, web} from '#test/ui/lists/list-fixture.ts';
import {messagesView} from '#ui/core/frame.ts';

/** A home with files below its `.config/parley`; those that are scripts are executable. */
export function homeWith(files: Readonly<Record<string, string>>): string {
  const home = scratchDirectory();
  const folder = pathsOf({}, home).config;
  mkdirSync(folder, {recursive: true, mode: 0o700});
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text, {mode: 0o600});
    if (text.startsWith('#!')) chmodSync(join(folder, name), 0o700);
  }
  return home;
}

export function load(home: string, env: Readonly<Record<string, string>> = {}) {
  return loadCommandsAndKeys(pathsOf({}, home), {env: {PATH: process.env.PATH, HOME: home, ...env}, home});
}

/** An app in a conversation, with the commands of a home. */
export async function commandsFixture(home: string, env: Readonly<Record<string, string>> = {}) {
  const {commands, keymap, problems} = await load(home, env);
  const fixture = listFixture({...loadedConversations(), view: messagesView(topicNarrow(web, 'css')), keymap});
  const router = new KeyRouter(keymap, commands);
  const {app} = fixture;
  app.frames.paintNow();
  const press = (...names: readonly string[]) => {
    for (const name of names) {
      const key = parseKeyName(name);
      if (key !== undefined) router.handleEvents(app, [{kind: 'key', key}]);
    }
  };
  return {...fixture, router, problems, press, run: (id: string) => router.run(app, id), yes: () => press('y')};
}

/** Returns a `commands.toml` with one command that runs a line of a shell, which the user writes. */
export function shellCommand(line: string, more = ''): string {
  return `[[command]]\nname = "It"\nrun = ["sh", "-c", ${JSON.stringify(line)}]\n${more}\n`;
}
