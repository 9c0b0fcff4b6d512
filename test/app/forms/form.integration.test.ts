import {expect, test} from 'vitest';
import {textColumns} from '#content/styled-text/text-width.ts';
import {untilApp} from '#test/app/message-actions/message-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {overlayText} from '#test/support/overlay-text.ts';
import type {FormField} from '#ui/core/form.ts';
import {overlayCursor, overlayRect} from '#ui/overlay-position.ts';
import {formFixture} from './form-fixture.ts';

const name: FormField = {kind: 'text', key: 'name', label: 'Name', isRequired: true, maxLength: 20};
const days: FormField = {kind: 'number', key: 'days', label: 'Days', min: 1, max: 99, unit: 'days', emptyText: 'never'};
const isOn: FormField = {kind: 'switch', key: 'isOn', label: 'Announce', help: 'Tells everyone about it.'};
const policy: FormField = {
  kind: 'choice',
  key: 'policy',
  label: 'Topics',
  choices: [
    {value: 'a', label: 'Allowed'},
    {value: null, label: 'As usual', detail: 'the default'},
    {value: 'n', label: 'Not allowed'},
  ],
};
const initial = {name: 'general', days: 7, isOn: false, policy: null};
const fields = [{kind: 'section', label: 'Basics'} as const, name, days, isOn, policy];

test('form: shows its fields with their values, and the help of the focused one', () => {
  const {lines, press} = formFixture({fields, initial});
  expect(lines().slice(0, 5)).toEqual([
    ' Basics',
    ' ▌  Name      general',
    '    Days      7 days',
    '    Announce  [ ] off',
    '    Topics    As usual',
  ]);
  expect(lines().at(-1)).toBe(' No changes');
  press('Tab', 'Down');
  expect(lines().slice(3, 5)).toEqual([' ▌  Announce  [ ] off', '     Tells everyone about it.']);
});

test('form: of a long text without the focus the first lines are shown, and that there are more', () => {
  const text: FormField = {kind: 'text', key: 'text', label: 'Text', isMultiline: true};
  const {lines, press} = formFixture({fields: [name, text], initial: {name: 'x', text: 'one\ntwo\nthree\nfour'}});
  const shown = () =>
    lines()
      .slice(0, 6)
      .map((line) => line.trim().replace(/^Text +/, ''));
  expect(shown().slice(1, 4)).toEqual(['one', 'two', '…']);
  press('Tab');
  expect(
    shown()
      .slice(1, 5)
      .map((line) => line.replace(/^▌ */, '').replace(/^Text +/, '')),
  ).toEqual(['one', 'two', 'three', 'four']);
});

test('form: keys change values, changes are marked and listed, and Ctrl-D saves only them', async () => {
  const {app, press, type, lines, saved} = formFixture({fields, initial});
  type('!');
  press('Enter', 'Ctrl-U');
  type('30');
  press('Tab', 'Space', 'Tab', 'Right');
  expect(lines().slice(1, 5)).toEqual([
    '  * Name      general!',
    '  * Days      30 days',
    '  * Announce  [x] on',
    ' ▌* Topics    < Not allowed >',
  ]);
  expect(lines().at(-1)).toBe(' 4 changes: name, days, announce, topics');
  press('Left');
  expect(lines().at(-1)).toBe(' 3 changes: name, days, announce');
  press('Ctrl-D');
  expect(lines().at(-1)).toBe(' Saving…');
  await untilApp(app, () => app.screen.overlays.length === 0);
  expect(saved).toEqual([{name: 'general!', days: 30, isOn: true}]);
  expect(app.screen.toast?.text).toBe('Example saved');
  expect(app.screen.formEdits.size).toBe(0);
});

test('form: Ctrl-D without changes closes it and sends nothing', () => {
  const {app, press, type, saved} = formFixture({fields, initial});
  type('x');
  press('Backspace', 'Ctrl-D');
  expect(app.screen.overlays).toEqual([]);
  expect(saved).toEqual([]);
});

test('form: a problem is shown while typing, and the form is not sent with it', () => {
  const {app, press, type, lines, saved} = formFixture({fields, initial});
  press('Ctrl-U');
  expect(lines().slice(1, 3)).toEqual([' ▌! Name', '     Name is missing']);
  type('a name that is far too long');
  expect(lines()).toContain('     7 characters too long');
  press('Tab', 'Ctrl-U');
  type('200');
  expect(lines()).toContain('     From 1 to 99');
  press('Ctrl-U');
  type('soon');
  expect(lines()).toContain('     Write a whole number');
  press('Tab', 'Ctrl-D');
  expect(lines()).toContain(' ▌! Name      a name that is far too long');
  expect(lines().at(-1)).toBe(' Not saved');
  expect([app.screen.overlays.length, saved]).toEqual([1, []]);
});

test('form: the largest number and the longest text can be saved, and one more cannot', async () => {
  const {press, type, lines, saved} = formFixture({fields: [name, days], initial: {name: '', days: 7}});
  type('x'.repeat(21));
  expect(lines().join()).toContain('1 character too long');
  press('Backspace', 'Tab', 'Ctrl-U');
  type('100');
  expect(lines().join()).toContain('From 1 to 99');
  press('Ctrl-U');
  type('99');
  press('Ctrl-D');
  await expect.poll(() => saved).toEqual([{name: 'x'.repeat(20), days: 99}]);
});

test('form: a value that is chosen again as it was is no change, also in another order', () => {
  const people: FormField = {kind: 'people', key: 'people', label: 'People'};
  const {press, type, lines} = formFixture({fields: [policy, people], initial: {policy: null, people: [2, 3]}});
  press('Right', 'Left');
  expect(lines().at(-1)).toBe(' No changes');
  press('Enter', 'Enter', 'Tab', 'Enter');
  type('otto');
  press('Enter');
  type('otto');
  press('Enter', 'Esc');
  expect(lines().at(-1)).toBe(' No changes');
});

test('form: closed while it is saved, it says nothing until the answer, and then why it was refused', async () => {
  let refuse: (error: Error) => void = () => {};
  const save = () => new Promise<undefined>((_resolve, reject) => (refuse = reject));
  const {app, press, type} = formFixture({fields, initial, form: {save}});
  type('!');
  press('Ctrl-D', 'Esc');
  expect([app.screen.overlays, app.screen.toast]).toEqual([[], undefined]);
  refuse(new Error('The name is taken.'));
  await untilApp(app, () => app.screen.toast?.text === 'Example: The name is taken.');
  expect(app.screen.overlays).toEqual([]);
});

test('form: the keys for pages stop at both ends', () => {
  const {press, lines} = formFixture({fields, initial});
  const focused = () => lines().find((line) => line.includes('▌'));
  press('PageDown', 'PageDown', 'PageDown');
  expect(focused()).toContain('Save');
  press('PageUp', 'PageUp', 'PageUp');
  expect(focused()).toContain('Name');
});

test('form: Esc keeps what was typed, and the form has it when it opens again, until it is discarded', () => {
  const {app, press, type, lines, reopen} = formFixture({fields, initial});
  type(' room');
  press('Esc');
  expect(app.screen.overlays).toEqual([]);
  expect(app.screen.toast?.text).toBe('Not saved · open it again to continue');
  reopen();
  expect(lines()[1]).toBe(' ▌* Name      general room');
  expect(lines().at(-1)).toBe(' Unsaved from before · Ctrl-R discards · 1 change: name');
  press('Ctrl-R');
  expect(lines()[1]).toBe(' ▌  Name      general');
  press('Esc');
  reopen();
  expect(lines().at(-1)).toBe(' No changes');
});

test('form: a disabled field shows its reason and cannot be changed', () => {
  const disabled = 'Only owners can change this';
  const {app, press, type, lines, saved} = formFixture({
    fields: [{...name, disabled}, {...isOn, disabled}, days],
    initial,
  });
  // The focus starts on the first field that can be changed.
  expect(lines()[2]).toBe(' ▌  Days      7 days');
  press('Up');
  expect(lines().slice(1, 4)).toEqual([
    ' ▌  Announce  [ ] off',
    '     Only owners can change this',
    '     Tells everyone about it.',
  ]);
  press('Space', 'Up');
  type('x');
  expect(lines()[0]).toBe(' ▌  Name      general');
  expect(app.screen.toast?.text).toBe(disabled);
  press('Ctrl-D');
  expect(saved).toEqual([]);
});

test('form: untouched fields follow the record, touched ones stay', () => {
  let record = {...initial};
  const {app, press, type, lines} = formFixture({fields, initial: () => record});
  type('!');
  press('Tab');
  record = {...initial, name: 'renamed', days: 12};
  app.set({hasWindowFocus: true});
  expect(lines().slice(1, 3)).toEqual(['  * Name      general!', ' ▌  Days      12 days']);
  type('3');
  expect(lines()[2]).toBe(' ▌! Days      123 days');
});

test('form: fields may depend on values', () => {
  const {press, lines} = formFixture({
    initial,
    fields: (_frame, {isOn: isShown}) => (isShown === true ? [isOn, name] : [isOn]),
  });
  expect(lines().join('\n')).not.toContain('Name');
  press('Space');
  expect(lines()[2]).toBe('    Name      general');
});

test('form: the result of a field is always shown, and a field for trying is no change', () => {
  const {app, press, type, lines, saved} = formFixture({
    initial: {name: 'general', trial: ''},
    fields: (_frame, values) => [
      {...name, result: `→ #${values.name}`},
      {kind: 'text', key: 'trial', label: 'Try it', isUnsaved: true},
    ],
  });
  press('Tab');
  type('anything');
  expect(lines().slice(0, 3)).toEqual(['    Name    general', '            → #general', ' ▌  Try it  anything']);
  expect(lines().at(-1)).toBe(' No changes');
  press('Ctrl-D');
  expect([app.screen.overlays.length, saved]).toEqual([0, []]);
});

test('form: a field for one channel replaces the chosen one, and chosen again is empty', () => {
  const channel: FormField = {kind: 'channels', key: 'channel', label: 'Channel', isSingle: true, emptyText: 'off'};
  const {press, type, lines} = formFixture({initial: {channel: [5]}, fields: [channel]});
  expect(lines()[0]).toBe(' ▌  Channel  #general');
  type('books');
  press('Enter');
  expect(lines()[0]).toBe(' ▌* Channel  #books');
  type('books');
  press('Enter');
  expect(lines()[0]).toBe(' ▌* Channel  off');
});

test('form: a new record is saved without changes, but not without what is required', async () => {
  const {app, press, lines, type, saved} = formFixture({
    fields: [name, isOn],
    initial: {name: '', isOn: true},
    form: {isNew: true, saveLabel: 'Create it'},
  });
  expect(lines().at(-2)).toMatch(/Create it +Ctrl-D$/);
  press('Ctrl-D');
  expect(lines()).toContain('     Name is missing');
  type('tides');
  press('Shift-Tab', 'Enter');
  await untilApp(app, () => app.screen.overlays.length === 0);
  expect(saved).toEqual([{name: 'tides'}]);
});

test('form: the reason of a refusal is shown at the only changed field, and typing clears it', async () => {
  const {app, type, press, lines} = formFixture({
    fields,
    initial,
    form: {save: () => Promise.reject(new Error('That name is taken.'))},
  });
  type('2');
  press('Tab', 'Ctrl-D');
  await untilApp(app, () => lines().at(-1) === ' Not saved');
  expect(lines().slice(1, 3)).toEqual([' ▌* Name      general2', '     That name is taken.']);
  type('3');
  expect(lines().join('\n')).not.toContain('taken');
  press('Tab', 'Tab', 'Space', 'Ctrl-D');
  await untilApp(app, () => lines().at(-1) === ' Not saved: That name is taken.');
});

test('form: a read-only session is told so', () => {
  const {press, type, lines, saved} = formFixture({fields, initial, isReadOnly: true});
  type('x');
  press('Ctrl-D');
  expect(lines().at(-1)).toContain('This session is read-only');
  expect(saved).toEqual([]);
});

test('form: Enter opens the choices of a field, and typing filters them', () => {
  const {press, type, text, lines} = formFixture({fields, initial});
  press('Up', 'Up', 'Enter');
  expect(text()).toMatch(/Topics[\s\S]*Allowed[\s\S]*As usual {2}the default[\s\S]*Not allowed/);
  press('Down', 'Enter');
  expect(lines().at(4)).toBe(' ▌* Topics    < Not allowed >');
  type('a');
  expect(text()).toContain('› a');
  press('Enter');
  expect(lines().at(4)).toBe(' ▌* Topics    < Allowed >');
});

test('form: people, groups and channels are chosen by name, and Backspace removes the last', () => {
  const {press, type, lines, app, saved} = formFixture({
    initial: {people: [], groups: [], channels: [5]},
    fields: [
      {kind: 'people', key: 'people', label: 'People', emptyText: 'nobody'},
      {kind: 'groups', key: 'groups', label: 'Groups'},
      {kind: 'channels', key: 'channels', label: 'Channels'},
    ],
  });
  expect(lines()[0]).toBe(' ▌  People    nobody');
  type('ott');
  press('Enter');
  type('ana');
  press('Enter', 'Esc');
  expect(lines()[0]).toBe(' ▌* People    Otto Writer, Ana Reader');
  press('Backspace', 'Tab');
  type('supp');
  press('Enter', 'Esc', 'Tab');
  type('book');
  press('Enter', 'Esc');
  expect(lines().slice(0, 3)).toEqual([
    '  * People    Otto Writer',
    '  * Groups    support',
    ' ▌* Channels  #general, #books',
  ]);
  press('Ctrl-D');
  return untilApp(app, () => saved.length > 0).then(() => {
    expect(saved).toEqual([{people: [2], groups: [30], channels: [5, 6]}]);
  });
});

test('form: a field of groups offers system groups only where they make sense', () => {
  const fieldOf = (key: string) => ({kind: 'groups', key, label: key}) as const;
  const {press, text} = formFixture({
    initial: {own: [], all: []},
    fields: [fieldOf('own'), {...fieldOf('all'), hasSystemGroups: true}],
  });
  press('Enter');
  expect(text()).toContain('support');
  expect(text()).not.toContain('Moderators');
  press('Esc', 'Tab', 'Enter');
  expect(text()).toMatch(/Owners[\s\S]*Moderators[\s\S]*support/);
  expect(text()).not.toContain('Nobody');
});

test('form: a permission is a group, or groups and people; its rules leave groups out', () => {
  const {press, type, lines, text, app} = formFixture({
    initial: {who: 11},
    fields: [
      {kind: 'groupSetting', key: 'who', label: 'Send', setting: {scope: 'stream', name: 'can_add_subscribers_group'}},
    ],
  });
  expect(lines()[0]).toBe(' ▌  Send  Nobody');
  press('Enter');
  expect(text()).toMatch(/\[x\] Nobody[\s\S]*Owners[\s\S]*Full members[\s\S]*Everyone except guests[\s\S]*support/);
  expect(text()).not.toContain('including guests');
  type('mod');
  press('Enter');
  expect(lines()[0]).toBe(' ▌* Send  Moderators');
  press('Enter');
  type('otto');
  press('Tab');
  type('support');
  press('Tab', 'Esc');
  expect(lines()[0]).toBe(' ▌* Send  Moderators, support, Otto Writer');
  expect(app.screen.formEdits.get('example')?.who?.value).toEqual({direct_members: [2], direct_subgroups: [14, 30]});
  press('Backspace', 'Backspace', 'Backspace');
  expect(lines()[0]).toBe(' ▌  Send  Nobody');
});

test('form: Enter in the choices of a permission replaces a role and drops nothing that was chosen by name', () => {
  const {press, type, lines} = formFixture({
    initial: {who: 14},
    fields: [
      {kind: 'groupSetting', key: 'who', label: 'Send', setting: {scope: 'stream', name: 'can_add_subscribers_group'}},
    ],
  });
  const choose = (name: string) => {
    press('Enter');
    type(name);
    press('Enter');
    return lines()[0]?.replace(/^.*Send {2}/, '');
  };
  expect(lines()[0]).toBe(' ▌  Send  Moderators');
  expect(choose('mod')).toBe('Moderators');
  expect(choose('owners')).toBe('Owners');
  expect(choose('otto')).toBe('Otto Writer');
  expect(choose('support')).toBe('support, Otto Writer');
  expect(choose('otto')).toBe('support, Otto Writer');
  expect(choose('owners')).toBe('support, Owners, Otto Writer');
  expect(choose('mod')).toBe('support, Moderators, Otto Writer');
  expect(choose('nobody')).toBe('Nobody');
});

test('form: a date is typed in words and shows what was understood', () => {
  const {type, lines, app} = formFixture({
    clock: new ManualClock(),
    initial: {until: null},
    fields: [{kind: 'date', key: 'until', label: 'Until', direction: 'future', emptyText: 'never'}],
  });
  expect(lines()[0]).toBe(' ▌  Until  never');
  type('tomorrow');
  expect(lines()[1]).toBe('     = tomorrow, 9:00 AM');
  expect(app.screen.formEdits.get('example')?.until?.value).toBe(Date.UTC(2026, 0, 2, 9));
  type('ish');
  expect(lines()[1]).toContain('Write a time such as');
});

test('form: a color is typed or chosen, and drawn where the terminal has colors', () => {
  const {press, type, lines, app, text} = formFixture({
    initial: {color: '#c2c2c2'},
    fields: [{kind: 'color', key: 'color', label: 'Color'}],
  });
  expect(lines()[0]).toBe(' ▌  Color  #c2c2c2');
  press('Ctrl-U');
  type('#ABC');
  expect(app.screen.formEdits.get('example')?.color?.value).toBe('#aabbcc');
  app.setDisplay({depth: 'true'});
  expect(lines()[0]).toBe(' ▌* Color  ██ #ABC');
  press('Enter');
  expect(text()).toContain('██ #76ce90');
  press('Down', 'Up', 'Enter');
  expect(lines()[0]).toBe(' ▌* Color  ██ #76ce90');
});

test('form: a text of several lines grows, and Up and Down move in it first', () => {
  const {press, type, lines} = formFixture({
    initial: {text: '', name: 'x'},
    fields: [{kind: 'text', key: 'text', label: 'Text', isMultiline: true}, name],
  });
  type('one');
  press('Enter');
  type('two');
  expect(lines().slice(0, 3)).toEqual([' ▌* Text  one', '          two', '    Name  x']);
  press('Up');
  type('!');
  press('Down', 'Down');
  expect(lines().slice(0, 3)).toEqual(['  * Text  one!', '          two', ' ▌  Name  x']);
});

test('form: at 40x15 no line is too wide, and the focused field and the text cursor are visible while moving', () => {
  const many = Array.from({length: 30}, (_, at): FormField => {
    const label = `A field with a very long label, number ${at}`;
    return {kind: 'text', key: `f${at}`, label, help: 'A help text that is longer than one line of this screen.'};
  });
  const values = Object.fromEntries(many.map((_field, at) => [`f${at}`, 'a value that does not fit in the line']));
  const {app, press} = formFixture({fields: many, initial: values, size: '40x15'});
  for (let step = 0; step < 35; step++) {
    const shown = overlayText(app.frame);
    expect(shown).toHaveLength(15);
    expect(Math.max(...shown.map(textColumns))).toBeLessThanOrEqual(40);
    expect(shown.filter((line) => line.startsWith(' ▌'))).toHaveLength(1);
    const cursor = overlayCursor(app.frame);
    const top = app.screen.overlays.at(-1);
    const isText = top?.kind === 'form' && top.focus.startsWith('f');
    expect(shown[cursor?.y ?? -1]?.includes('▌')).toBe(isText ? true : undefined);
    press(step % 7 === 6 ? 'PageDown' : 'Tab');
  }
});

test('form: a click focuses a field, and a click on the focused switch toggles it', () => {
  const {app, take, lines} = formFixture({fields, initial, size: '120x40'});
  const {x = 0, y = 0} = overlayRect(app.frame) ?? {};
  const clickAt = (row: number) => {
    const cell = {x: x + 5, y: y + 1 + row};
    take(
      {kind: 'mouse', action: 'press', button: 'left', ...cell},
      {kind: 'mouse', action: 'release', button: 'left', ...cell},
    );
  };
  clickAt(3);
  expect(lines()[3]).toBe(' ▌  Announce  [ ] off');
  clickAt(3);
  expect(lines()[3]).toBe(' ▌* Announce  [x] on');
});
