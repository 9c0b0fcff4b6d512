import {expect, test} from 'vitest';
import {messageFixture, untilApp} from './message-fixture.ts';

const three = [
  '```python\nprint(1)\nprint(2)\n```',
  '````quote\n```\nls -l\n```\n````',
  '````spoiler more\n```js\nalert(3)\n```\n````',
].join('\n\n');

test('code blocks: the only one is copied at once, without its fence, and saved under the end of its language', async () => {
  const {fixture, select, press, deviceCalls, app, router} = await messageFixture();
  await select(await fixture.postMessage('Try this:\n```python\nif x:\n    go()\n```\nor not.'));
  press('`');
  expect(deviceCalls).toEqual([['copy', 'if x:\n    go()']]);
  await untilApp(app, () => app.screen.toast?.text === 'Copied: the code block (python, 2 lines)');
  router.run(app, 'msg.savecode');
  await untilApp(app, () => app.screen.toast?.text.startsWith('Saved ') === true);
  expect(deviceCalls[1]?.slice(0, 2)).toEqual(['saveFile', 'code.py']);
});

test('code blocks: a number copies one of several, Tab saves it, and those in a closed spoiler are left out', async () => {
  const {fixture, select, press, deviceCalls, app, overlay} = await messageFixture();
  await select(await fixture.postMessage(three));
  press('`');
  expect(overlay()).toMatch(/print\(1\) +python, 2 lines +1[\s\S]*ls -l +1 line +2/);
  expect(overlay()).not.toContain('alert');
  press('2');
  expect(deviceCalls).toEqual([['copy', 'ls -l']]);
  press('-', '`', 'Down', 'Down');
  expect(overlay()).toContain('alert(3)');
  press('Tab');
  await untilApp(app, () => app.screen.toast?.text.startsWith('Saved ') === true);
  expect(deviceCalls[1]?.slice(0, 2)).toEqual(['saveFile', 'code.js']);
});

test('code blocks: the message menu has them only for messages with code, and the key says why not', async () => {
  const {fixture, select, press, app, overlay} = await messageFixture();
  await select(await fixture.postMessage('just `code` in a line'));
  press('`');
  expect(app.screen.toast?.text).toBe('This message has no code block.');
  press('i');
  expect(overlay()).not.toContain('code block');
  press('Esc');
  await select(await fixture.postMessage('```\nmake\n```'));
  press('i');
  expect(overlay()).toMatch(/Copy code block +`/);
  press('`');
  expect(app.screen.overlays).toEqual([]);
});

test('code blocks: those between tildes and in lists are found, too', async () => {
  const {fixture, select, press, deviceCalls} = await messageFixture();
  await select(await fixture.postMessage('~~~\nmake all\n~~~'));
  press('`');
  await select(await fixture.postMessage('* Run this:\n\n        make some'));
  press('`');
  expect(deviceCalls).toEqual([
    ['copy', 'make all'],
    ['copy', expect.stringMatching(/^ *make some$/)],
  ]);
});
