import {scheduleMessage} from '#state/actions/messages.ts';
import {isUncertain} from '#state/lost-responses.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {parseMoment, withWorkday} from '#std/parse-moment.ts';
import {reportFailure, requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';
import {momentText, suggestedTimes} from '#ui/format/moment-text.ts';
import {openPicker} from '#ui/overlays/picker.ts';
import {composerSaver} from './composer-saver.ts';
import {restoreDraft} from './open-composer.ts';
import {afterSending, type CheckedMessage, checkedMessage} from './send-message.ts';

const presets = ['in 1 hour', 'in 3 hours', 'tomorrow 9:00', 'tomorrow 14:00', 'monday 9:00'] as const;
/** Zulip's apps schedule nothing that is due sooner. */
const minAheadMinutes = 5;

/** Opens a picker for the time of sending: presets, or a time in words. */
export function openSchedulePicker(app: App): void {
  const message = checkedMessage(app);
  if (message === undefined) return;
  openPicker(app, {
    id: 'schedule',
    title: 'Schedule message',
    placeholder: timePlaceholder(app),
    hint: {Enter: 'schedules', 'g s': 'lists scheduled messages'},
    rows: scheduleRows,
    accept: (from, {key}) => {
      from.closeOverlay();
      schedule(from, message, chosenTime(from, key));
    },
  });
}

/** Returns examples of times that can be typed. */
export function timePlaceholder({state, display}: App): string {
  return suggestedTimes(state, 'fri 16:00, in 2 hours, 2026-05-12 14:30', display.locale);
}

/** Returns the time of a chosen row in seconds, from now on: the rows are only as exact as the clock on the screen. */
export function chosenTime({clock, display}: App, written: string): number {
  const now = clock.now();
  return Math.ceil((parseMoment(written, now, display.zone, display.locale) ?? now) / 1000);
}

/** Returns the times to choose from. The key of a row is its time in words, for `chosenTime`. */
export function scheduleRows(frame: Frame, query: string): readonly PickerRow[] {
  const {minute, display} = frame;
  const {zone, locale} = display;
  const written = query.trim();
  const moment = written === '' ? undefined : parseMoment(written, minute, zone, locale);
  const own = moment === undefined ? [] : [rowOf(frame, written, moment)];
  const usedTimes = new Set([moment]);
  const usual = presets
    .map((preset) => suggestedTimes(frame.account, withWorkday(preset, locale), locale))
    .filter((preset) => preset.toLowerCase().includes(written.toLowerCase()))
    .flatMap((preset) => {
      const at = parseMoment(preset, minute, zone, locale);
      if (at === undefined || usedTimes.has(at)) return [];
      usedTimes.add(at);
      return [rowOf(frame, preset, at)];
    });
  const rows = [...own, ...usual];
  if (rows.length > 0) return rows;
  const reason = `“${written}” is not a time: try “${suggestedTimes(frame.account, 'tomorrow 14:00', locale)}” or “in 2 hours”`;
  return [{key: 'none', label: reason, disabled: reason}];
}

function rowOf(frame: Frame, label: string, at: number): PickerRow {
  const isSoon = at < frame.minute + minAheadMinutes * 60_000;
  return {
    key: label,
    label,
    detail: momentText(frame, at),
    ...(isSoon && {disabled: `Pick a time at least ${minAheadMinutes} minutes from now`}),
  };
}

/** Schedules the message. Its text stays a draft until the server confirms. */
function schedule(app: App, message: CheckedMessage, at: number): void {
  const saver = composerSaver(app);
  saver.scheduleSave();
  if (!saver.flush()) return;
  const {draftId} = app.screen.composer;
  afterSending(app, message.conversation);
  scheduleDraft(app, message, at, draftId);
}

function scheduleDraft(app: App, message: CheckedMessage, at: number, draftId: string | undefined): void {
  const {context, drafts} = app.session;
  const reversal = app.undoStack.awaitReversal();
  const when = momentText(app.frame, at * 1000);
  const title = conversationTitle(app.state, message.conversation);
  app.toast(`Scheduling for ${when}: ${title}…`);
  scheduleMessage(context, {...message, at}).then(
    (id) => {
      if (draftId !== undefined) drafts.remove(draftId);
      const label = `Scheduled for ${when}: ${title}`;
      let restored: string | undefined;
      app.undoStack.push({
        label,
        undo: () => unscheduleToComposer(app, id, message, (draft) => (restored = draft)),
        redo: () => scheduleAgain(app, message, at, restored),
      });
      reversal?.confirm();
      app.toast(withUndoKey(label));
    },
    (error: unknown) => {
      reversal?.fail();
      const progressText = `Scheduling for ${when}, saved as a draft`;
      reportFailure(app, error, {failureText: 'Not scheduled, saved as a draft', progressText});
      if (isUncertain(error) || context.signal.aborted) return;
      const draft = draftId === undefined ? undefined : drafts.get(draftId);
      const {composer} = app.screen;
      if (draft !== undefined && composer.isOpen && composer.field.text === '') restoreDraft(app, draft);
    },
  );
}

/** Schedules a message again that is a draft since the undo, unless the draft was changed. */
function scheduleAgain(app: App, message: CheckedMessage, at: number, draftId: string | undefined): undefined {
  const {composer} = app.screen;
  const isInComposer = composer.isOpen && composer.draftId === draftId;
  const text = isInComposer ? composer.field.text : app.session.drafts.get(draftId ?? '')?.content;
  if (text !== message.content) throw new Error('the draft was changed or sent since.');
  if (isInComposer) schedule(app, message, at);
  else scheduleDraft(app, message, at, draftId);
}

function unscheduleToComposer(
  app: App,
  id: number,
  {conversation, content}: CheckedMessage,
  onRestored: (draftId: string | undefined) => void,
): string {
  requestFromServer(app, {
    send: () => app.session.context.api.deleteScheduledMessage({scheduled_message_id: id}),
    doneText: () => {
      const draft = app.session.drafts.edit(undefined, {target: conversation, content});
      onRestored(draft?.id);
      if (draft !== undefined && app.screen.composer.field.text === '') restoreDraft(app, draft);
      return `Unscheduled: the message to ${conversationTitle(app.state, conversation)} is a draft again`;
    },
    failureText: 'Still scheduled',
  });
  return 'Unscheduling…';
}
