import {expect, test} from 'vitest';
import {egFrame} from '#test/support/frame-fixture.ts';
import {renderWithFrame} from '#test/support/render-ink.tsx';
import type {Form} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {OverlayState, PickerRow} from '#ui/core/overlay.ts';
import {Overlay} from '#ui/Overlay.tsx';
import {emptyLine} from '#ui/text/text-field.ts';

const closed = egFrame({size: '60x12'});

function withOverlays(...overlays: readonly OverlayState[]): Frame {
  return {...closed, screen: {...closed.screen, overlays}};
}

/** The same snapshot after a message, a toast and a minute: nothing that the overlays here show. */
function laterThan(frame: Frame): Frame {
  const {account, screen} = frame;
  const toast = {text: 'Copied', tone: 'plain', id: 1} as const;
  return {...frame, account: {...account}, screen: {...screen, toast}, minute: frame.minute + 60_000};
}

/** New objects each time, as pickers and cards that read the account make them. */
function fruit(): readonly PickerRow[] {
  return ['apple', 'banana'].map((label) => ({key: label, label}));
}

const picker: OverlayState = {
  kind: 'picker',
  picker: {id: 'fruit', title: 'Fruit', rows: fruit, accept: () => {}, hint: {Enter: 'choose'}},
  field: emptyLine,
  cursor: 0,
  top: 0,
  openedRows: 0,
};

const card: OverlayState = {
  kind: 'card',
  card: {id: 'poem', title: 'Poem', lines: () => [{spans: [{text: 'Roses', role: 'text'}], width: 5}]},
  top: 0,
};

const example: Form = {
  id: 'example',
  title: 'Example',
  initial: ({account}) => ({name: account.realm.name ?? ''}),
  fields: () => [{kind: 'text', key: 'name', label: 'Name', validate: () => undefined}],
  save: async () => undefined,
};
const form: OverlayState = {
  kind: 'form',
  form: example,
  focus: 'name',
  input: undefined,
  top: 0,
  isRestored: false,
  progress: {kind: 'idle'},
};

test('Overlay: shows the picker, card or form on top, and nothing when it is closed', async () => {
  const {texts, paint} = renderWithFrame(<Overlay />, closed);
  const shown = () => texts().join('\n').trim();
  expect(shown()).toBe('');
  await paint(withOverlays(card, picker));
  expect(shown()).toMatch(/^╭─ Fruit ─+╮\n│ › +│\n├─+┤\n│▌apple +│\n│ banana +│\n╰─ Enter choose ─+╯$/);
  await paint(withOverlays(card));
  expect(shown()).toMatch(/^╭─ Poem ─+╮\n│ Roses +│\n╰─+╯$/);
  await paint(withOverlays(card, form));
  expect(shown()).toMatch(/^╭─ Example ─+╮\n│ ▌ {2}Name +\S* *│\n│ +│\n│ +Save +Ctrl-D *│\n│ No changes +│\n╰─+╯$/);
  await paint(closed);
  expect(shown()).toBe('');
});

test.each([picker, card, form])('Overlay: a $kind is not rendered again for what it does not show', async (open) => {
  const first = withOverlays(open);
  const {paint, renderCount} = renderWithFrame(<Overlay />, first);
  await paint(laterThan(first));
  await paint(laterThan(laterThan(first)));
  expect(renderCount()).toBe(1);
});

test('Overlay: a moved cursor and a changed record are shown', async () => {
  const {texts, paint} = renderWithFrame(<Overlay />, withOverlays(picker));
  await paint(withOverlays({...picker, cursor: 1}));
  expect(texts().join('\n')).toMatch(/│ apple +│\n│▌banana/);
  const shown = withOverlays(form);
  const realm = {...shown.account.realm, name: 'Harbour'};
  await paint({...shown, account: {...shown.account, realm}});
  expect(texts().join('\n')).toMatch(/▌ {2}Name +Harbour/);
});
