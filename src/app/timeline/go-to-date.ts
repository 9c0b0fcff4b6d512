import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {PickerRow} from '#app/core/overlay.ts';
import {isoWithOffset} from '#app/format/parse-moment.ts';
import {parsePastDay} from '#app/format/parse-past-day.ts';
import {openView} from '#app/navigation/navigation.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {dateText} from '#content/time-text.ts';

const offered = ['yesterday', 'a week ago', 'a month ago', 'a year ago'];
const oldest = 'oldest';

/** Asks for a day and shows what was written from then on. */
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
            label: 'No day is called that',
            disabled: 'Write a day: yesterday, friday, 12 May, 2025-05-12.',
          },
        ]
      : [row];
  }
  const rows = offered.flatMap((words) => dayRow(frame, words) ?? []);
  return [...rows, {key: oldest, label: 'the beginning'}];
}

function dayRow({minute, display: looks}: Frame, words: string): PickerRow | undefined {
  const at = parsePastDay(words, minute, looks.zone);
  if (at === undefined) return undefined;
  return {key: words, label: words, right: dateText(at, {zone: looks.zone, now: minute})};
}

function goToDay(app: App, words: string): void {
  const {view} = app.screen;
  if (view.kind !== 'messages') return;
  if (words === oldest) {
    openView(app, view, {anchor: 'oldest'});
    return;
  }
  const {zone} = app.display;
  const at = parsePastDay(words, app.clock.now(), zone);
  if (at !== undefined) openView(app, view, {anchor: {date: isoWithOffset(at, zone)}});
}
