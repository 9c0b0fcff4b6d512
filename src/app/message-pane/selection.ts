import type {App} from '#app/core/app.ts';
import {changeTimeline, openConversation, openNarrow, openView} from '#app/navigation/navigation.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {clockText, dateText} from '#content/time-text.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {combinedFeedNarrow, conversationOfNarrow} from '#state/model/narrow.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import {firstUnreadId} from '#state/selectors/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {isoWithOffset, parsePastDay, wallTime} from '#std/parse-moment.ts';
import {type Frame, type MessagesView, messagesView} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {mainTimelineNow} from '#ui/message-pane/selected-message.ts';
import type {RowKey} from '#ui/message-pane/timeline-state.ts';
import {timeOptionsOf} from '#wording/moment-text.ts';

/** Selects a row of the shown view and scrolls to it. */
export function selectRow(app: App, key: RowKey): void {
  const {view} = app.screen;
  if (view.kind !== 'messages') return;
  const top = mainTimelineNow(app.frame)?.window?.top;
  changeTimeline(app, view, (state) => ({...state, selected: key, openAt: undefined, anchor: top}));
}

/** Follows the newest messages from now on, such as after sending. */
export function stickToNewest(app: App): void {
  const {view} = app.screen;
  if (view.kind !== 'messages') return;
  const last = mainTimelineNow(app.frame)?.rows?.last();
  changeTimeline(app, view, (state) => ({
    ...state,
    selected: last ?? state.selected,
    anchor: undefined,
    openAt: last === undefined ? 'newest' : undefined,
  }));
}

/** Opens a link to a message or conversation of this organization. Returns why another link cannot be opened here. */
export function openMessageLink(app: App, link: string): string | undefined {
  const destination = parseDestination(app.state, link);
  if (destination.kind === 'problem') return destination.problem;
  if (destination.kind === 'conversation') openConversation(app, destination.conversation);
  else openNarrow(app, destination.narrow);
  return undefined;
}

export function openMessageLinkPicker(app: App): void {
  openPicker(app, {
    id: 'message_link',
    title: 'Go to message',
    placeholder: 'paste a link',
    rows: ({account}, query) => linkRows(account, query.trim()),
    accept: (target, {key}) => {
      target.closeOverlay();
      openMessageLink(target, key);
    },
  });
}

function linkRows(account: AccountState, link: string): readonly PickerRow[] {
  if (link === '') return [];
  const destination = parseDestination(account, link);
  if (destination.kind === 'problem') return [{key: link, label: destination.problem, disabled: destination.problem}];
  const conversation =
    destination.kind === 'conversation' ? destination.conversation : conversationOfNarrow(destination.narrow);
  const title = conversation === undefined ? link : conversationTitle(account, conversation);
  return [{key: link, label: title, detail: 'Enter opens it'}];
}

/** Moves to the oldest unread message of the view. */
export function goToFirstUnread(app: App): void {
  const {view} = app.screen;
  if (view.kind !== 'messages') return;
  const id = firstUnreadId(app.state, view.narrow);
  if (id === undefined) app.toast('No unread messages here');
  else openView(app, view, {anchor: id});
}

/** Opens the message's conversation at the message, without marking it read. */
export function showInConversation(app: App, message: Message): void {
  openConversation(app, conversationOf(message), {anchor: message.id});
  changeTimeline(app, app.screen.view, (state) => ({...state, isPeek: true}));
}

const suggestions = ['yesterday', 'this week', 'a week ago', 'a month ago', 'a year ago'];
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
  const at = parsePastDay(text, minute, display.zone, display.locale);
  if (at === undefined) return undefined;
  const options = timeOptionsOf(frame);
  const wall = wallTime(at, display.zone);
  const time = wall.hour === 0 && wall.minute === 0 ? '' : `, ${clockText(at, options)}`;
  return {key: text, label: text, right: `${dateText(at, options)}${time}`};
}

function goToDay(app: App, text: string): void {
  const {view} = app.screen;
  const target: MessagesView = view.kind === 'messages' ? view : messagesView(combinedFeedNarrow);
  const {zone, locale} = app.display;
  const at = text === oldest ? undefined : parsePastDay(text, app.clock.now(), zone, locale);
  openView(app, target, {anchor: at === undefined ? 'oldest' : {date: isoWithOffset(at, zone)}});
}
