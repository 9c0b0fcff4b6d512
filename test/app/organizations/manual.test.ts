import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commandTable} from '#commands/command-table.ts';
import {defaultKeymap} from '#commands/keymap.ts';
import {readSettings, settingTable, variableOf} from '#config/settings.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {readAsset} from '#std/program-files.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import type {Frame, Organization} from '#ui/core/frame.ts';
import {organizationsNote} from '#ui/lists/list-source.ts';
import {organizationsFixture} from './organizations-fixture.ts';

const chapter = readAsset('help/organizations.md');

/** Returns the code blocks of the chapter in a language. */
function blocks(language: string): readonly string[] {
  return [...chapter.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, name, text = '']) =>
    name === language ? [text] : [],
  );
}

test('organizations: the settings of the chapter are read as it says', () => {
  const directory = scratchDirectory();
  mkdirSync(directory, {recursive: true});
  const [example = ''] = blocks('toml');
  writeFileSync(join(directory, 'config.toml'), example);
  const {settings, warnings} = readSettings(directory, {});
  expect([settings.organizations, warnings]).toEqual(['mixed', []]);
  const values = [...chapter.matchAll(/^\| `"(\w+)"` \|/gm)].map(([, value]) => value);
  expect(values).toEqual(Object.keys(settingTable.organizations.choices));
  expect(chapter).toContain(`${variableOf('organizations')}=separate parley`);
});

test('organizations: a value that does not exist gets a sentence, and the default applies', () => {
  const directory = scratchDirectory();
  mkdirSync(directory, {recursive: true});
  writeFileSync(join(directory, 'config.toml'), 'organizations = "all"\n');
  const {settings, warnings} = readSettings(directory, {});
  expect(settings.organizations).toBe('grouped');
  expect(warnings).toEqual([expect.stringContaining('organizations must be one of "grouped", "mixed", "separate".')]);
});

test('organizations: the keys of the chapter run its commands', () => {
  const keys = [...chapter.matchAll(/^\| `([^`"]+)` \| `([\w.]+)` \|/gm)];
  expect(keys.length).toBeGreaterThan(2);
  for (const [, key = '', id = ''] of keys) {
    const bound = Object.values(defaultKeymap).map((map) => map.get(key));
    expect([key, bound.includes(id), commandTable.has(id)]).toEqual([key, true, true]);
  }
});

test('organizations: the inbox and the line below it look as in the chapter', () => {
  const {fixtures, pane, shown} = organizationsFixture({acme: undefined, club: undefined}, 'grouped', '80x60', () => ({
    connection: 'offline',
  }));
  fixtures[1]?.readElsewhere(1, 2, 4, 5, 6, 7);
  shown().frames.paintNow();
  const [inbox = '', note = ''] = blocks('');
  const lines = pane().map((line) => line.replace(/^[▌ ]/, ' ').trimEnd());
  for (const line of inbox.trimEnd().split('\n')) expect(lines).toContain(line.trimEnd());
  const club = fixtures[1]?.app ?? expect.unreachable();
  club.session.outbox.send({conversation: topicConversation(1, 'login'), content: 'soon'});
  const organization = (index: number, name: string, problem: string, frame?: Frame): Organization => ({
    ...{index, name, problem, frame},
    ...{mark: '', isShown: false},
  });
  const all = [organization(1, 'club', 'not connected since 14:02', club.frame), organization(2, 'work', 'logged out')];
  expect(organizationsNote({...shown().frame, organizations: {arrangement: 'mixed', all}})?.text).toBe(note.trim());
});
