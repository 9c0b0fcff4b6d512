import {expect, test} from 'vitest';
import {commandTable} from '#commands/command-table.ts';
import {resolveKeys} from '#commands/keymap.ts';
import {parseUserKeys} from '#commands/user-keys.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {overlayRows, overlayText} from '#test/support/overlay-text.ts';
import {bo, listFixture, web} from '#test/ui/lists/list-fixture.ts';
import {messagesView} from '#ui/core/frame.ts';

const css = messagesView(topicNarrow(web, 'css'));

function lineFixture() {
  const fixture = listFixture({view: css});
  const {app, router, take, press} = fixture;
  return {
    ...fixture,
    /** Opens the command line and runs a line. */
    line: (text: string) => {
      router.run(app, 'command.line');
      take({kind: 'paste', text});
      press('Enter');
    },
  };
}

test.each([':q', ':q!', ':qa', 'quit', ':wq', ':x'])('command line: %s quits', (text) => {
  const {line, deviceCalls} = lineFixture();
  line(text);
  expect(deviceCalls).toContainEqual(['quit']);
});

test('command line: :e opens a channel, a topic or a person by name, and says which name is unknown', () => {
  const {line, app, toast, press} = lineFixture();
  line(':e #web > login page');
  expect(app.screen.view).toEqual(messagesView(topicNarrow(web, 'login page')));
  line(':e #web');
  expect(app.screen.view).toMatchObject({narrow: [{operator: 'channel', operand: web}]});
  line(':e @Bo Wu');
  expect(app.screen.view).toMatchObject({narrow: [{operator: 'dm', operand: [bo]}]});
  line(':e #nowhere');
  expect(toast()).toContain('nowhere');
  press('Esc');
  expect(app.screen.overlays).toEqual([]);
});

test('command line: :w sends the text of the open composer, and says when there is none', () => {
  const {line, app, toast, press, type} = lineFixture();
  line(':w');
  expect(toast()).toBe('Nothing to send or save');
  press('r');
  type('done');
  app.set({focus: 'main'});
  line(':w');
  expect(app.state.outbox.map(({content}) => content)).toEqual(['done']);
});

test('command line: :help finds words in the key help', () => {
  const {line, app} = lineFixture();
  line(':help quit');
  expect(overlayText(app.frame)[0]).toContain(' Keys ');
  expect(overlayRows(app)[1]).toContain('Quit Parley');
});

test('command line: an unknown command is named with the known ones, and Tab completes a name', () => {
  const {line, app, router, press, type, toast} = lineFixture();
  line(':foo');
  expect(toast()).toMatch(/^Unknown command: :foo\. Known: :q .*:help/);
  press('Esc');
  router.run(app, 'command.line');
  type(':he');
  press('Tab');
  expect(overlayRows(app)[0]).toContain('help');
});

test('vim+: a colon opens the command line, and a semicolon the reactions', () => {
  const {keymap} = parseUserKeys('preset = "vim+"', 'keys.toml', new Set(commandTable.keys()));
  const contexts = ['msgs', 'nav', 'global'] as const;
  expect(resolveKeys(keymap, contexts, [':'])).toMatchObject({id: 'command.line'});
  expect(resolveKeys(keymap, contexts, [';'])).toMatchObject({id: 'react.picker'});
});
