import {expect, test} from 'vitest';
import {openCard} from '#app/overlays/cards.ts';
import {openPicker, refreshPicker} from '#app/overlays/picker.ts';
import {sessionFixture} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {overlayText} from '#test/support/overlay-text.ts';
import type {Picker, PickerRow} from '#ui/core/overlay.ts';
import {chosenRow, openedPicker, pickerRows} from '#ui/overlays/picker-rows.ts';

const fruits = ['apple', 'apricot', 'banana', 'blueberry', 'cherry'];

async function pickerFixture(more: Partial<Picker> = {}) {
  const fixture = appFixture({session: (await sessionFixture()).session()});
  const chosen: string[] = [];
  let computed = 0;
  const picker: Picker = {
    id: 'fruit',
    title: 'Fruit',
    rows: (_frame, query) => {
      computed++;
      const matches = fruits.filter((fruit) => fruit.includes(query));
      return [
        {key: 'title', label: 'Fruit', isTitle: true},
        ...matches.map((fruit): PickerRow => ({key: fruit, label: fruit, right: fruit[0]})),
      ];
    },
    accept: (app, row, how) => {
      chosen.push(`${row.key} ${how}`);
      app.closeOverlay();
    },
    ...more,
  };
  openPicker(fixture.app, picker);
  const current = () => {
    const open = openedPicker(fixture.app);
    return open === undefined ? undefined : chosenRow(pickerRows(fixture.app.frame, open), open.cursor)?.key;
  };
  return {...fixture, chosen, current, computed: () => computed};
}

test('picker: arrows skip titles and wrap around', async () => {
  const {press, current} = await pickerFixture();
  expect(current()).toBe('apple');
  press('Down');
  expect(current()).toBe('apricot');
  press('Up', 'Up');
  expect(current()).toBe('cherry');
  press('Ctrl-N');
  expect(current()).toBe('apple');
});

test('picker: typing recomputes the rows and selects the first; moving does not', async () => {
  const {press, type, current, computed} = await pickerFixture();
  press('Down', 'Down');
  const before = computed();
  press('Down', 'Up', 'PageDown');
  expect(computed()).toBe(before);
  type('b');
  expect(current()).toBe('banana');
  press('Backspace');
  expect(current()).toBe('apple');
});

test('picker: Tab accepts the row and says how', async () => {
  const {press, chosen} = await pickerFixture();
  press('Down', 'Tab');
  expect(chosen).toEqual(['apricot tab']);
});

test('picker: the field has the usual editing keys', async () => {
  const {press, type, app} = await pickerFixture();
  type('bananx');
  press('Left', 'Backspace', 'Right', 'Backspace', 'Home');
  type('a');
  press('End', 'Alt-b', 'Alt-d');
  expect(openedPicker(app)?.field.text).toBe('');
  press('Ctrl-_');
  expect(openedPicker(app)?.field.text).toBe('abana');
  press('Ctrl-U');
  expect(openedPicker(app)?.field.text).toBe('');
});

test('picker: a disabled row shows its reason and stays open', async () => {
  const {press, app, chosen} = await pickerFixture({
    rows: () => [{key: 'x', label: 'x', disabled: 'Not today.'}],
  });
  press('Enter');
  expect(chosen).toEqual([]);
  expect(app.screen.toast?.text).toBe('Not today.');
  expect(app.screen.overlays).toHaveLength(1);
});

test('picker: in a menu, keys choose the row that shows them', async () => {
  const {press, chosen} = await pickerFixture({isMenu: true});
  press('j', 'c');
  expect(chosen).toEqual(['cherry enter']);
});

test('picker: refreshing keeps the cursor on its row', async () => {
  let more: readonly PickerRow[] = [];
  const {press, app, current} = await pickerFixture({
    rows: () => [...more, {key: 'a', label: 'a'}, {key: 'b', label: 'b'}],
  });
  press('Down');
  more = [{key: 'new', label: 'new'}];
  refreshPicker(app, 'fruit');
  expect(current()).toBe('b');
  expect(overlayText(app.frame)[3]).toContain('new');
});

test('picker: Enter within a burst of keys is pasted text, not a choice', async () => {
  const {app, take, chosen} = await pickerFixture();
  take(
    {kind: 'key', key: {name: 'b', text: 'b'}},
    {kind: 'key', key: {name: 'Enter'}, isBurst: true},
    {kind: 'key', key: {name: 'c', text: 'c'}},
  );
  expect(chosen).toEqual([]);
  expect(openedPicker(app)?.field.text).toBe('b c');
});

test('picker: the wheel moves by rows and stops at the ends', async () => {
  const {take, current} = await pickerFixture();
  const wheel = {kind: 'mouse', action: 'wheel', button: 'none', x: 1, y: 1} as const;
  take({...wheel, wheel: 'down'});
  expect(current()).toBe('blueberry');
  take({...wheel, wheel: 'down'});
  expect(current()).toBe('cherry');
});

test('picker: a click chooses its row, and a click outside closes the picker', async () => {
  const first = await pickerFixture();
  const press = {kind: 'mouse', action: 'press', button: 'left'} as const;
  // The box starts in row 3; its title, the field, a line and the section title come before the first fruit.
  first.take({...press, x: 40, y: 8});
  expect(first.chosen).toEqual(['apricot enter']);
  const second = await pickerFixture();
  second.take({...press, x: 0, y: 39});
  expect(second.chosen).toEqual([]);
  expect(second.app.screen.overlays).toEqual([]);
});

test('card: scrolls like a pager and closes with Esc, q or Enter', async () => {
  const {app, press} = appFixture({session: (await sessionFixture()).session(), size: '120x20'});
  const lines = Array.from({length: 60}, (_, at) => {
    return {spans: [{text: `line ${at + 1}`, role: 'text' as const}], width: 7};
  });
  const shown = () => overlayText(app.frame)[1];
  for (const close of ['Esc', 'q', 'Enter']) {
    openCard(app, {id: 'card', title: 'Card', lines: () => lines});
    press('j', 'Down', 'k');
    expect(shown()).toContain('line 2 ');
    press('G');
    expect(overlayText(app.frame)[0]).toContain(' 60/60 ');
    press('g', 'Space');
    expect(shown()).toMatch(/line 1\d /);
    press(close);
    expect(app.screen.overlays).toEqual([]);
  }
});

test('picker: a paste goes into the field', async () => {
  const {app, take} = await pickerFixture();
  take({kind: 'paste', text: 'ban\nana'});
  expect(openedPicker(app)?.field.text).toBe('ban ana');
});
