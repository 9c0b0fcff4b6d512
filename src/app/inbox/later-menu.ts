import type {App} from '#app/app.ts';
import {momentOf} from '#app/completion/moments.ts';
import type {Frame} from '#app/frame.ts';
import type {PickerRow} from '#app/overlays/overlay.ts';
import {openPicker} from '#app/overlays/picking.ts';
import {act, chosenItems} from './acting.ts';
import type {LaterEntry, Until} from './later.ts';
import {momentText} from './summary.ts';
import type {TriageItem} from './triage-row.ts';

interface Choice {
  /** The key that chooses it. */
  readonly key: string;
  readonly label: string;
  readonly until: (frame: Frame) => Until;
}

const choices: readonly Choice[] = [
  {key: 'Enter', label: 'At the end, when nothing else is left', until: () => ({kind: 'session'})},
  {key: '1', label: 'In an hour', until: (frame) => timeOf(frame, 'in 1 hour')},
  {key: 't', label: 'Tomorrow', until: (frame) => timeOf(frame, 'tomorrow 9:00')},
  {key: 'm', label: 'With the next message', until: () => ({kind: 'message'})},
];

function timeOf({minute, looks}: Frame, written: string): Until {
  return {kind: 'time', at: momentOf(written, minute, looks.zone) ?? minute};
}

/** Asks until when; each answer is one key. */
export function openLaterMenu(app: App): void {
  const items = chosenItems(app.frame);
  const [first] = items;
  if (first === undefined) {
    app.toast('There is no conversation here.', 'warning');
    return;
  }
  openPicker(app, {
    id: 'later',
    title: items.length === 1 ? `Later: ${first.label}` : `Later: ${items.length} conversations`,
    isMenu: true,
    columns: 52,
    rows: (frame) => choices.map((choice) => rowOf(frame, choice)),
    accept: (from, {key}) => choose(from, items, key),
    onKey: (from, {name, ctrl, alt}) => {
      const isChoice =
        ctrl !== true && alt !== true && name !== 'Enter' && choices.some(({key}) => key === name);
      if (isChoice) choose(from, items, name);
      return isChoice;
    },
  });
}

function rowOf(frame: Frame, {key, label, until}: Choice): PickerRow {
  const when = until(frame);
  return {key, label, right: key, detail: when.kind === 'time' ? momentText(frame, when.at) : undefined};
}

function choose(app: App, items: readonly TriageItem[], chosen: string): void {
  app.closeOverlay();
  const choice = choices.find(({key}) => key === chosen);
  if (choice !== undefined) putOff(app, items, choice.until(app.frame));
}

function putOff(app: App, items: readonly TriageItem[], until: Until): void {
  const {conversations} = app.state.unreads;
  const laters = items.map(
    ({key}): LaterEntry => ({key, until, newestId: conversations.get(key)?.ids.last() ?? 0}),
  );
  const [only] = items;
  const title = items.length === 1 && only !== undefined ? only.label : `${items.length} conversations`;
  const keys = items.map(({key}) => key);
  act(app, {verb: 'later', keys, laters, label: `Later: ${title}, back ${untilText(app.frame, until)}`});
}

function untilText(frame: Frame, until: Until): string {
  switch (until.kind) {
    case 'time':
      return `at ${momentText(frame, until.at)}`;
    case 'message':
      return 'with the next message';
    default:
      return 'at the end';
  }
}
