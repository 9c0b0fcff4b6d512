import {clockText, dateText} from '#content/time-text.ts';
import {combinedFeedNarrow} from '#state/model/narrow.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {type MessagesView, messagesView} from '#ui/core/view.ts';
import {timeOptionsOf} from '#ui/format/moment-text.ts';
import {isoWithOffset, wallTime} from '#ui/format/parse-moment.ts';
import {parsePastDay} from '#ui/format/parse-past-day.ts';
import {openView} from '#ui/navigation/navigation.ts';
import {openPicker} from '#ui/overlays/picker.ts';

const suggestions = ['yesterday', 'a week ago', 'a month ago', 'a year ago'];
const oldest = 'oldest';

/** Asks for a day or time and shows the messages from then on: of the shown view, or else of the combined feed. */
export function openDatePicker(app: App): void {
  openPicker(app, {
    id: 'date',
    title: app.screen.view.kind === 'messages' ? 'Go to a date' : 'Go to a date in the combined feed',
    placeholder: 'yesterday, last monday, 12 May 14:00',
    columns: 60,
    helpLines: 2,
    rows: dayRows,
    accept: (target, {key}) => {
      target.closeOverlay();
      goToDay(target, key);
    },
  });
}

const notADate = 'Not a date. Try: yesterday, last monday, 12 May, 2025-05-12 14:00.';

function dayRows(frame: Frame, query: string): readonly PickerRow[] {
  const text = query.trim();
  if (text !== '') return [dayRow(frame, text) ?? {key: text, label: notADate, disabled: notADate, help: notADate}];
  const rows = suggestions.flatMap((text) => dayRow(frame, text) ?? []);
  return [...rows, {key: oldest, label: 'the beginning'}];
}

function dayRow(frame: Frame, text: string): PickerRow | undefined {
  const {minute, display} = frame;
  const at = parsePastDay(text, minute, display.zone);
  if (at === undefined) return undefined;
  const options = timeOptionsOf(frame);
  const wall = wallTime(at, display.zone);
  const time = wall.hour === 0 && wall.minute === 0 ? '' : `, ${clockText(at, options)}`;
  return {key: text, label: text, right: `${dateText(at, options)}${time}`};
}

function goToDay(app: App, text: string): void {
  const {view} = app.screen;
  const target: MessagesView = view.kind === 'messages' ? view : messagesView(combinedFeedNarrow);
  const {zone} = app.display;
  const at = text === oldest ? undefined : parsePastDay(text, app.clock.now(), zone);
  openView(app, target, {anchor: at === undefined ? 'oldest' : {date: isoWithOffset(at, zone)}});
}
