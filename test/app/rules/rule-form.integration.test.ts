import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {rulesFile} from '#cli/rules/rules-file.ts';
import {systemClock} from '#std/clock.ts';
import {messageFixture} from '#test/app/message-actions/message-fixture.ts';
import {goToField} from '#test/support/form-keys.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import type {AppInfo} from '#ui/core/frame.ts';
import {openedForm} from '#ui/forms/form-view.ts';

async function formScene(info: Partial<AppInfo> = {}) {
  const home = scratchDirectory();
  const paths = {config: join(home, 'config'), state: join(home, 'state')};
  mkdirSync(paths.config);
  const path = join(paths.config, 'rules.toml');
  const scene = await messageFixture({app: {rulesFile: rulesFile({paths, home, clock: systemClock}), info}});
  await scene.select(await scene.fixture.postMessage('blah', 'noise'));
  return {...scene, path, goTo: goToField(scene.app, scene.press), rules: () => readFileSync(path, 'utf8')};
}

test('rules: the key on a message opens a form, and adds the rule to the end of the file', async () => {
  const {app, press, path, goTo, rules, says} = await formScene();
  const mine = '# mine\n[[rule]]\nname = "a" # keep\nbot = true\nstar = true\n';
  writeFileSync(path, mine);
  press('W');
  expect(openedForm(app)?.form.title).toBe('Always do this for such messages');
  goTo('Add the rule');
  press('Enter');
  await says('Rule “#general › noise” was added to ~/config/rules.toml');
  expect(rules()).toBe(
    `${mine}\n[[rule]]\nname = "#general › noise"\nchannel = "general"\ntopic = "noise"\nmark_read = true\n`,
  );
  expect(app.screen.overlays).toEqual([]);
});

test('rules: the form takes another place, a sender and a text, and refuses a text that is no regular expression', async () => {
  const {press, type, goTo, rules, says, path} = await formScene({accountCount: 2, accountName: 'work'});
  press('W');
  goTo('Where');
  press('Right');
  goTo('From');
  press('Right');
  goTo('Text');
  type('[');
  goTo('Add the rule');
  press('Enter');
  await says('the regular expression is not valid');
  expect(() => readFileSync(path)).toThrow();
  goTo('Text');
  press('Backspace');
  type('"\\d+');
  goTo('Add the rule');
  press('Enter');
  await says('was added');
  expect(rules()).toBe(
    '[[rule]]\nname = "#general › noise"\naccount = "work"\nchannel = "general"\nsender = "Otto"\nregex = "\\"\\\\d+"\nmark_read = true\n',
  );
  press('W');
  goTo('Add the rule');
  press('Enter');
  await says('Another rule is called “#general › noise”');
});

test('rules: the form refuses a name that is longer than 100 characters', async () => {
  const {press, type, goTo, rules, says, path} = await formScene();
  press('W');
  goTo('Name');
  type('x'.repeat(101 - '#general › noise'.length));
  goTo('Add the rule');
  press('Enter');
  await says('1 character too long');
  expect(() => readFileSync(path)).toThrow();
  goTo('Name');
  press('Backspace');
  goTo('Add the rule');
  press('Enter');
  await says('was added');
  expect(rules()).toContain('xxx"\n');
});

test('rules: what was typed into the form for one message is not in that for another one', async () => {
  const {app, fixture, press, type, goTo, select, overlay} = await formScene();
  press('W');
  goTo('Text');
  type('storm');
  expect(overlay()).toContain('storm');
  while (app.screen.overlays.length > 0) press('Esc');
  await select(await fixture.postMessage('blah', 'calm'));
  press('W');
  expect(overlay()).toContain('calm');
  expect(overlay()).not.toContain('storm');
});

test('rules: a read-only session offers no rule', async () => {
  const {app, press, says} = await formScene({isReadOnly: true});
  press('W');
  expect(openedForm(app)).toBeUndefined();
  await says('This session is read-only: no rule is added');
});
