import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {PickerRow} from '#app/core/overlay.ts';
import {isoWithOffset} from '#app/format/parse-moment.ts';
import {parsePastDay} from '#app/format/parse-past-day.ts';
import {openView} from '#app/navigation/navigation.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {dateText} from '#content/time-text.ts';

const suggestions = ['yesterday', 'a week ago', 'a month ago', 'a year ago'];
const oldest = 'oldest';

/** Asks for a day and shows the messages from then on. */
export function openDatePicker(app: App): void {
  openPicker(app, {
    id: 'date',
    title: 'Go to date',
    placeholder: 'yesterday, friday, 12 May, 2025-05-12',
    columns: 50,
    rows: dayRows,
    accept: (target, {key}) => {
      target.closeOverlay();
      goToDay(target, key);
    },
  });
}

function dayRows(frame: Frame, query: string): readonly PickerRow[] {
  const text = query.trim();
  if (text !== '') {
    const row = dayRow(frame, text);
    return row === undefined
      ? [
          {
            key: text,
            label: 'Not a date',
            disabled: 'Type a date: yesterday, friday, 12 May, 2025-05-12',
          },
        ]
      : [row];
  }
  const rows = suggestions.flatMap((text) => dayRow(frame, text) ?? []);
  return [...rows, {key: oldest, label: 'the beginning'}];
}

function dayRow({minute, display}: Frame, text: string): PickerRow | undefined {
  const at = parsePastDay(text, minute, display.zone);
  if (at === undefined) return undefined;
  return {key: text, label: text, right: dateText(at, {zone: display.zone, now: minute})};
}

function goToDay(app: App, text: string): void {
  const {view} = app.screen;
  if (view.kind !== 'messages') return;
  if (text === oldest) {
    openView(app, view, {anchor: 'oldest'});
    return;
  }
  const {zone} = app.display;
  const at = parsePastDay(text, app.clock.now(), zone);
  if (at !== undefined) openView(app, view, {anchor: {date: isoWithOffset(at, zone)}});
}
