import {expect, test} from 'vitest';
import type {Picker, PickerRow} from '#app/core/overlay.ts';
import {openCard} from '#app/overlays/cards.ts';
import {chosenRow, openedPicker, openPicker, pickerRows, refreshPicker} from '#app/overlays/picker.ts';
import {sessionFixture} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {overlayText} from '#test/support/overlay-text.ts';

const words = ['apple', 'apricot', 'banana', 'blueberry', 'cherry'];

async function staged(more: Partial<Picker> = {}) {
  const stage = appFixture({session: (await sessionFixture()).session()});
  const chosen: string[] = [];
  let asked = 0;
  const picker: Picker = {
    id: 'fruit',
    title: 'Fruit',
    rows: (_frame, query) => {
      asked++;
      const fitting = words.filter((word) => word.includes(query));
      return [
        {key: 'title', label: 'Fruit', isTitle: true},
        ...fitting.map((word): PickerRow => ({key: word, label: word, right: word[0]})),
      ];
    },
    accept: (app, row, how) => {
      chosen.push(`${row.key} ${how}`);
      app.closeOverlay();
    },
    ...more,
  };
  openPicker(stage.app, picker);
  const current = () => {
    const open = openedPicker(stage.app);
    return open === undefined ? undefined : chosenRow(pickerRows(stage.app.frame, open), open.cursor)?.key;
  };
  return {...stage, chosen, current, asked: () => asked};
}

test('arrows move over titles and around the ends', async () => {
  const {press, current} = await staged();
  expect(current()).toBe('apple');
  press('Down');
  expect(current()).toBe('apricot');
  press('Up', 'Up');
  expect(current()).toBe('cherry');
  press('Ctrl-N');
  expect(current()).toBe('apple');
});

test('typing asks again and begins at the first row; moving asks nobody', async () => {
  const {press, type, current, asked} = await staged();
  press('Down', 'Down');
  const before = asked();
  press('Down', 'Up', 'PageDown');
  expect(asked()).toBe(before);
  type('b');
  expect(current()).toBe('banana');
  press('Backspace');
  expect(current()).toBe('apple');
});

test('Enter and Tab choose, each saying how', async () => {
  const {press, chosen} = await staged();
  press('Down', 'Tab');
  expect(chosen).toEqual(['apricot tab']);
});

test('the text is edited like any other', async () => {
  const {press, type, app} = await staged();
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

test('a row that cannot be chosen says why and stays open', async () => {
  const {press, app, chosen} = await staged({
    rows: () => [{key: 'x', label: 'x', disabled: 'Not today.'}],
  });
  press('Enter');
  expect(chosen).toEqual([]);
  expect(app.screen.toast?.text).toBe('Not today.');
  expect(app.screen.overlays).toHaveLength(1);
});

test('in a menu keys choose by what stands at the right', async () => {
  const {press, chosen} = await staged({isMenu: true});
  press('j', 'c');
  expect(chosen).toEqual(['cherry enter']);
});

test('what comes later is shown without moving the cursor from its row', async () => {
  let more: readonly PickerRow[] = [];
  const {press, app, current} = await staged({
    rows: () => [...more, {key: 'a', label: 'a'}, {key: 'b', label: 'b'}],
  });
  press('Down');
  more = [{key: 'new', label: 'new'}];
  refreshPicker(app, 'fruit');
  expect(current()).toBe('b');
  expect(overlayText(app.frame)[3]).toContain('new');
});

test('Enter and Tab amid quick text are part of a paste, not a choice', async () => {
  const {app, take, chosen} = await staged();
  take(
    {kind: 'key', key: {name: 'b', text: 'b'}},
    {kind: 'key', key: {name: 'Enter'}, isBurst: true},
    {kind: 'key', key: {name: 'c', text: 'c'}},
  );
  expect(chosen).toEqual([]);
  expect(openedPicker(app)?.field.text).toBe('b c');
});

test('a turned wheel moves by rows and stops at the ends', async () => {
  const {take, current} = await staged();
  const wheel = {kind: 'mouse', action: 'wheel', button: 'none', x: 1, y: 1} as const;
  take({...wheel, wheel: 'down'});
  expect(current()).toBe('blueberry');
  take({...wheel, wheel: 'down'});
  expect(current()).toBe('cherry');
});

test('a click chooses the row it is on, and one beside the box closes it', async () => {
  const first = await staged();
  const press = {kind: 'mouse', action: 'press', button: 'left'} as const;
  // The box begins in row 3; its title, the text, a line and the title of the rows come before the first fruit.
  first.take({...press, x: 40, y: 8});
  expect(first.chosen).toEqual(['apricot enter']);
  const second = await staged();
  second.take({...press, x: 0, y: 39});
  expect(second.chosen).toEqual([]);
  expect(second.app.screen.overlays).toEqual([]);
});

test('a card is read like a page and closed with Esc, q or Enter', async () => {
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

test('a paste into a picker is text', async () => {
  const {app, take} = await staged();
  take({kind: 'paste', text: 'ban\nana'});
  expect(openedPicker(app)?.field.text).toBe('ban ana');
});
